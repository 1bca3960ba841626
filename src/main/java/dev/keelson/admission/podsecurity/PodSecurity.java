package dev.keelson.admission.podsecurity;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * PodSecurity: rejects pods that violate the level of their namespace, warns of them and notes them
 * in the audit log, as its labels say; of workloads it only warns, since their pods are checked
 * again (source: {@code admission.go} of {@code k8s.io/pod-security-admission}).
 */
public final class PodSecurity implements Admission {

  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");

  /** The subresources of pods that do not change the spec. */
  private static final Set<String> IGNORED =
      Set.of("exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status");

  private final ClusterObjects objects;
  private final PodSecurityConfiguration configuration;
  private final PodSecurityMetrics metrics;
  private final NamespacePods namespacePods;

  /**
   * @param nanoTime the time in nanoseconds, from any origin
   */
  public PodSecurity(
      ClusterObjects objects,
      PodSecurityConfiguration configuration,
      PodSecurityMetrics metrics,
      LongSupplier nanoTime) {
    this.objects = objects;
    this.configuration = configuration;
    this.metrics = metrics;
    this.namespacePods = new NamespacePods(configuration.runtimeClasses(), nanoTime);
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && (resource.equals(PODS.groupResource())
            ? !IGNORED.contains(subresource)
            : subresource.isEmpty()
                && (resource.equals(NAMESPACES.groupResource())
                    || Workloads.hasTemplate(resource)));
  }

  @Override
  public void validate(AdmissionAttributes call) {
    Verdict verdict = decide(call);
    verdict.warnings().forEach(call.warnings());
    verdict.annotations().forEach((key, value) -> call.annotate(PolicyLabels.PREFIX + key, value));
    ApiException refusal = verdict.refusal();
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Decides on any request. */
  Verdict decide(AdmissionAttributes call) {
    ApiObject object = call.object();
    if (object == null || (call.operation() != Verb.CREATE && call.operation() != Verb.UPDATE)) {
      return Verdict.ALLOWED;
    }
    GroupVersionResource resource = call.definition().gvr();
    if (resource.group().isEmpty() && resource.resource().equals("pods")) {
      return IGNORED.contains(call.subresource()) ? Verdict.ALLOWED : pod(call, object);
    }
    if (!call.subresource().isEmpty()) {
      return Verdict.ALLOWED;
    }
    if (resource.group().isEmpty() && resource.resource().equals("namespaces")) {
      return namespace(call, object);
    }
    return Workloads.template(resource, object)
        .map(template -> workload(call, template))
        .orElse(Verdict.ALLOWED);
  }

  private Verdict namespace(AdmissionAttributes call, ApiObject object) {
    String name = object.meta().name();
    PolicyLabels.Parsed next = labels(object);
    ApiObject current = call.current();
    PolicyLabels.Parsed before =
        current == null ? new PolicyLabels.Parsed(next.policy(), List.of()) : labels(current);
    if (!next.causes().isEmpty() && (current == null || !next.causes().equals(before.causes()))) {
      return Verdict.refused(ApiException.invalid(call.definition().gvk(), name, next.causes()));
    }
    LevelVersion enforce = next.policy().enforce();
    LevelVersion old = before.policy().enforce();
    boolean stricter =
        !enforce.equals(old)
            && enforce.checks()
            && (!enforce.version().equals(old.version())
                || enforce.level().compareTo(old.level()) > 0);
    if (current != null && !stricter) {
      return Verdict.ALLOWED;
    }
    if (configuration.namespaces().contains(name)) {
      return ignored(name, next.policy(), object.meta().labels());
    }
    return current == null
        ? Verdict.ALLOWED
        : Verdict.warning(namespacePods.warnings(name, enforce, objects.list(PODS, name)));
  }

  private Verdict ignored(String name, Policy policy, Map<String, String> labels) {
    if (policy.fullyPrivileged() || policy.equivalent(configuration.defaults())) {
      return Verdict.ALLOWED;
    }
    return Verdict.warning(
        List.of(
            "namespace %s is exempt from Pod Security, and the policy (%s) will be ignored"
                .formatted(GoQuote.quote(name), PolicyLabels.explicit(labels, policy))));
  }

  private Verdict pod(AdmissionAttributes call, ApiObject object) {
    Optional<Verdict> exempt = exempt(call);
    if (exempt.isPresent()) {
      return exempt.get();
    }
    Optional<ApiObject> namespace = objects.find(NAMESPACES, "", call.namespace());
    if (namespace.isEmpty()) {
      metrics.failed(/* fatal= */ true, call);
      return Verdict.refused(
          new ApiException(
              Reason.INTERNAL_ERROR,
              "Internal error occurred: failed to lookup namespace "
                  + GoQuote.quote(call.namespace()),
              ErrorDetails.NONE,
              null));
    }
    PolicyLabels.Parsed labels = labels(namespace.get());
    if (labels.causes().isEmpty() && labels.policy().fullyPrivileged()) {
      metrics.evaluated(/* allowed= */ true, labels.policy().enforce(), Mode.ENFORCE, call);
      return Verdict.PRIVILEGED;
    }
    ApiObject current = call.current();
    if (current != null && !PodUpdates.significant(object, current)) {
      return Verdict.ALLOWED;
    }
    return evaluate(call, labels, object.root(), /* enforced= */ true);
  }

  private Verdict workload(AdmissionAttributes call, MapNode template) {
    Optional<Verdict> exempt = exempt(call);
    if (exempt.isPresent()) {
      return exempt.get();
    }
    Optional<ApiObject> namespace = objects.find(NAMESPACES, "", call.namespace());
    if (namespace.isEmpty()) {
      metrics.failed(/* fatal= */ true, call);
      return Verdict.annotated(
          "error",
          "failed to lookup namespace %s: namespaces %s not found"
              .formatted(GoQuote.quote(call.namespace()), GoQuote.quote(call.namespace())));
    }
    PolicyLabels.Parsed labels = labels(namespace.get());
    Policy policy = labels.policy();
    if (labels.causes().isEmpty() && !policy.warn().checks() && !policy.audit().checks()) {
      return Verdict.ALLOWED;
    }
    return evaluate(call, labels, template, /* enforced= */ false);
  }

  private Optional<Verdict> exempt(AdmissionAttributes call) {
    if (configuration.namespaces().contains(call.namespace())) {
      metrics.exempted(call);
      return Optional.of(Verdict.EXEMPT_NAMESPACE);
    }
    if (configuration.usernames().contains(call.user().name())) {
      metrics.exempted(call);
      return Optional.of(Verdict.EXEMPT_USER);
    }
    return Optional.empty();
  }

  private Verdict evaluate(
      AdmissionAttributes call, PolicyLabels.Parsed labels, MapNode root, boolean enforced) {
    PodTemplate pod = PodTemplate.of(root);
    if (configuration.runtimeClasses().contains(pod.spec().text("runtimeClassName"))) {
      metrics.exempted(call);
      return Verdict.EXEMPT_RUNTIME_CLASS;
    }
    Map<String, String> annotations = new HashMap<>();
    if (!labels.causes().isEmpty()) {
      annotations.put("error", "Failed to parse policy: " + labels.message());
      metrics.failed(/* fatal= */ false, call);
    }
    Policy policy = labels.policy();
    Map<LevelVersion, List<Violation>> known = new HashMap<>();
    ApiException refusal = null;
    if (enforced) {
      annotations.put("enforce-policy", policy.enforce().toString());
      List<Violation> violations = violations(known, policy.enforce(), pod);
      if (!violations.isEmpty()) {
        refusal = call.forbidden("violates" + text(policy.enforce(), violations));
      }
      metrics.evaluated(violations.isEmpty(), policy.enforce(), Mode.ENFORCE, call);
    }
    List<Violation> audited = violations(known, policy.audit(), pod);
    if (!audited.isEmpty()) {
      annotations.put("audit-violations", "would violate" + text(policy.audit(), audited));
      metrics.evaluated(/* allowed= */ false, policy.audit(), Mode.AUDIT, call);
    }
    // a rejected request needs no warning
    List<Violation> warned = refusal == null ? violations(known, policy.warn(), pod) : List.of();
    if (warned.isEmpty()) {
      return new Verdict(refusal, List.of(), annotations);
    }
    metrics.evaluated(/* allowed= */ false, policy.warn(), Mode.WARN, call);
    return new Verdict(null, List.of("would violate" + text(policy.warn(), warned)), annotations);
  }

  private static List<Violation> violations(
      Map<LevelVersion, List<Violation>> known, LevelVersion policy, PodTemplate pod) {
    return known.computeIfAbsent(policy, each -> CheckCatalog.violations(each, pod));
  }

  private static String text(LevelVersion policy, List<Violation> violations) {
    return " PodSecurity "
        + GoQuote.quote(policy.toString())
        + ": "
        + Violation.details(violations);
  }

  private PolicyLabels.Parsed labels(ApiObject namespace) {
    return PolicyLabels.parse(namespace.meta().labels(), configuration.defaults());
  }
}
