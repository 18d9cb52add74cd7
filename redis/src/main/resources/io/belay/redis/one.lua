
return run(1) or answers[1] .. table.concat(outside)
