module errand

go 1.19
