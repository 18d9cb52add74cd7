
if soonest <= now then
  unqueue(queued)
  soonest, latest = NEVER, 0
  for i = #claims, 1, -1 do
    if claims[i][DEADLINE] <= now then
      remove(i)
    else
      set_deadline(claims[i], claims[i][DEADLINE])
    end
  end
  for i = #tombstones, 1, -1 do
    if tombstones[i][2] <= now then
      table.remove(tombstones, i)
      changed = true
    else
      soonest = math.min(soonest, tombstones[i][2])
    end
  end
end
grant()
