units lj
atom_modify sort 0 0.0
boundary f f f
region b block -1e8 1e8 -1e8 1e8 -1e8 1e8
create_box 1 b
region s block 0 4 0 4 0 4
create_atoms 1 random 192 4711 s
mass 1 1.0
pair_style dpd/gpu 0.0 1.0 34387 backend host precision mixed
pair_coeff * * 25.0 4.5
neighbor 0.3 nsq
fix 1 all nve
thermo_style custom step pe ke
run 0
