def report(results, game):
    return ""
