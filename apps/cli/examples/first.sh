npx vlgym eval vlgym/EZPoints-v1 --agent oracle --episodes 100 --record runs/expert  # success rate, with an interval over distinct tasks
npx vlgym replay runs/expert                                                         # plays all of it again: is it true?
npx vlgym play vlgym/EZPoints-v1 --seed 7                                            # and now you
