
if #KEYS == 1 then
  return run(1) or answers[1] .. table.concat(outside)
end
-- Of several keys none fails for what is wrong with another: the answer is then no time, a state of its own, and what is
-- wrong, after the length of that (4 bytes).
for k = 1, #KEYS do
  local _, wrong = pcall(run, k)
  if wrong then
    local text = tostring(type(wrong) == 'table' and wrong.err or wrong)
    answers[k] = struct.pack('>I8BI4', 0, FAILED, #text) .. text
  end
end
return table.concat(answers) .. table.concat(outside)
