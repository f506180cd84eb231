/** In seconds. An operator should look from then on; `deploy/observability/rules.yml` has the same bounds. */
export const machineBounds = { diskFullIn: 259_200, certificateEndsIn: 1_209_600 };
