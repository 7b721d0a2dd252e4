//! How much memory a hash table may take here.

use sysinfo::System;

/// What must stay free for everything else, in bytes.
const RESERVE: u64 = 64 << 20;

/// The bytes that can still be taken: the least of free memory, the control group's limit and the process's own.
/// Unlimited where the system does not tell.
pub fn available() -> u64 {
    let Ok(mut system) = System::new() else { return u64::MAX };
    system.refresh_memory();
    let free = Some(system.available_memory()).filter(|&bytes| bytes > 0).unwrap_or(u64::MAX);
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    free.min(group).min(process_limit(&mut system)).saturating_sub(RESERVE)
}

#[cfg(unix)]
fn process_limit(system: &mut System) -> u64 {
    use sysinfo::{Process, ProcessRefreshKind, ProcessesToUpdate};
    let limits = [rlimit::Resource::AS, rlimit::Resource::DATA].map(|resource| resource.get_soft());
    let limit = limits.into_iter().flatten().min().unwrap_or(rlimit::INFINITY);
    let Some(own) = sysinfo::get_current_pid().ok().filter(|_| limit != rlimit::INFINITY) else { return u64::MAX };
    let memory = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, memory);
    limit.saturating_sub(system.process(own).map_or(0, Process::virtual_memory))
}

#[cfg(not(unix))]
fn process_limit(_: &mut System) -> u64 {
    u64::MAX
}
