package dev.keelson.admission.podsecurity;

import java.util.Optional;

/** A rule of the Pod Security Standards. */
@FunctionalInterface
interface Check {

  /** Returns the violation of a pod, or empty if it is allowed. */
  Optional<Violation> violation(PodTemplate pod);

  /** The same check, which allows pods that {@code exempt} says. */
  default Check unless(Exemption exempt) {
    return pod -> exempt.holds(pod) ? Optional.empty() : violation(pod);
  }

  /** Whether a pod is exempt from a check. */
  @FunctionalInterface
  interface Exemption {
    boolean holds(PodTemplate pod);
  }
}
