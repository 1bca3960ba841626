package dev.keelson.admission.policy;

import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.policy.PolicyObserver.Conditions;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.Authorizer;
import dev.keelson.cel.admission.Activation;
import dev.keelson.cel.admission.MatchConditions;
import dev.keelson.cel.admission.MatchConditions.Verdict;
import dev.keelson.schema.ResourceCatalog;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What the evaluation of policies needs.
 *
 * @param objects finds namespaces and parameters
 * @param authorizer answers the checks of expressions
 */
public record PolicyContext(
    PolicyStore store,
    ClusterObjects objects,
    ResourceCatalog catalog,
    Authorizer authorizer,
    PolicyObserver observer) {

  private static final Set<String> OWN =
      Set.of(
          "validatingadmissionpolicies",
          "validatingadmissionpolicybindings",
          "mutatingadmissionpolicies",
          "mutatingadmissionpolicybindings");

  /** Groups of reviews, which no policy may break (source: ExcludedAdmissionResources). */
  private static final Set<GroupResource> REVIEWS =
      Set.of(
          new GroupResource("authentication.k8s.io", "selfsubjectreviews"),
          new GroupResource("authentication.k8s.io", "tokenreviews"),
          new GroupResource("authorization.k8s.io", "localsubjectaccessreviews"),
          new GroupResource("authorization.k8s.io", "selfsubjectaccessreviews"),
          new GroupResource("authorization.k8s.io", "selfsubjectrulesreviews"),
          new GroupResource("authorization.k8s.io", "subjectaccessreviews"));

  /** Whether policies apply to a resource: not to policies and not to reviews. */
  static boolean isSubject(GroupResource resource) {
    return !REVIEWS.contains(resource)
        && !(resource.group().equals(PolicySource.Kind.GROUP) && OWN.contains(resource.resource()));
  }

  Params params() {
    return new Params(objects, catalog);
  }

  /**
   * Evaluates the match conditions of a policy.
   *
   * @param activation with the inputs of conditions; not called if there are none
   */
  Verdict conditions(PolicyHook hook, Verb operation, Supplier<Activation> activation) {
    MatchConditions conditions = hook.compiled().conditions();
    if (conditions.isEmpty()) {
      return new Verdict.Matches();
    }
    long begin = System.nanoTime();
    Verdict verdict = conditions.evaluate(activation.get());
    observer.observe(new Conditions(hook.name(), operation, verdict, System.nanoTime() - begin));
    return verdict;
  }
}
