
if soonest <= now then
  unqueue(count())
  soonest, latest, changed, anew = NEVER, 0, true, true
  for i = #claims, 1, -1 do
    if claims[i][DEADLINE] <= now then
      remove(i)
    else
      soonest, latest = math.min(soonest, claims[i][DEADLINE]), math.max(latest, claims[i][DEADLINE])
    end
  end
  for i = #tombstones, 1, -1 do
    if tombstones[i][2] <= now then
      table.remove(tombstones, i)
    else
      soonest = math.min(soonest, tombstones[i][2])
    end
  end
end
grant()
