#![allow(clippy::all, missing_docs)]
use inarow::{rules::*, search::*, eval::*};
use std::sync::Arc; use std::time::*;
fn main(){
 let a:Vec<String>=std::env::args().collect();
 let g=match a[1].as_str(){ "mnk"=>{let v:Vec<u8>=a[2].split(',').map(|x|x.parse().unwrap()).collect();Game::mnk(v[0],v[1],v[2]).unwrap()}, n=>Game::new(Variant::from_name(n).unwrap())};
 let mut p=Position::new(g);
 for m in a[3].split_whitespace(){let (mv,_)=parse_move(m,&p).unwrap();p.play(mv).unwrap();}
 let mut s:Search<LineCounts>=Search::new(Arc::new(Table::new(64).unwrap()));
 let l=Limits{move_time:Some(Duration::from_millis(a[4].parse().unwrap())),..Limits::default()};
 let c=Control::new(Instant::now(),false);
 let f=s.run(&p,&l,&Settings{threads:a.get(5).map_or(1,|x|x.parse().unwrap()),..Settings::default()},&c,&mut |e|{ if let Event::Line(r)=e {println!("d {} sd {} {} {:?} n {} nps {} t {} pv {}",r.depth.0,r.selective_depth.0,r.score,r.bound,r.work.nodes,r.work.nodes_per_second(),r.work.time.as_millis(),r.line.iter().map(|m|m.square().to_string()).collect::<Vec<_>>().join(" "))}});
 println!("{:?} {:?}",f.best.map(|m|m.square().to_string()),f);
}
