package dev.keelson.schema.validation.admissionregistration;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.WebhookAddresses;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Configurations of validating and mutating webhooks. */
record WebhookConfigurationRules(PolicyExpressions expressions) implements KindRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validateCreate(Value object) {
    validate(object, true, Strictness.OF_NEW);
  }

  /**
   * Match conditions that were valid once are not compiled again, as long as all of them stay. What
   * kube-apiserver stored by older rules may stay as well.
   */
  @Override
  public void validateUpdate(Value object, Value old) {
    Value hooks = object.get("webhooks");
    Value before = old.get("webhooks");
    boolean changed = hooks.size() != before.size();
    for (int i = 0; i < hooks.size() && !changed; i++) {
      changed = !hooks.at(i).get("matchConditions").sameAs(before.at(i).get("matchConditions"));
    }
    validate(object, changed, Strictness.after(before));
  }

  /**
   * Rules that are newer than some stored configurations.
   *
   * @param effects the allowed {@code sideEffects}
   * @param knownVersions whether one of the AdmissionReview versions must be known
   * @param uniqueNames whether the names of webhooks must differ
   * @param labels the label values that selectors may have
   */
  private record Strictness(
      List<String> effects, boolean knownVersions, boolean uniqueNames, Labels.LabelValues labels) {

    private static final List<String> NO_EFFECTS = List.of("None", "NoneOnDryRun");
    private static final List<String> ANY_EFFECTS =
        List.of("None", "NoneOnDryRun", "Some", "Unknown");
    static final Strictness OF_NEW =
        new Strictness(NO_EFFECTS, true, true, Labels.LabelValues.VALID);

    /** What stays required of a configuration whose stored webhooks are these. */
    static Strictness after(Value hooks) {
      boolean withoutEffects = true;
      boolean knownVersions = true;
      boolean validLabels = true;
      Set<String> names = new HashSet<>();
      for (Value hook : hooks) {
        names.add(hook.get("name").text());
        withoutEffects &= NO_EFFECTS.contains(hook.get("sideEffects").text());
        Value versions = hook.get("admissionReviewVersions");
        knownVersions &=
            versions.size() == 0 || versions.contains("v1") || versions.contains("v1beta1");
        validLabels &=
            hasValidLabels(hook.get("namespaceSelector"))
                && hasValidLabels(hook.get("objectSelector"));
      }
      return new Strictness(
          withoutEffects ? NO_EFFECTS : ANY_EFFECTS,
          knownVersions,
          names.size() == hooks.size(),
          validLabels ? Labels.LabelValues.VALID : Labels.LabelValues.ANY);
    }

    private static boolean hasValidLabels(Value selector) {
      for (Value each : selector.get("matchExpressions")) {
        for (Value value : each.get("values")) {
          if (!Formats.LABEL_VALUE.apply(value.text()).isEmpty()) {
            return false;
          }
        }
      }
      return true;
    }
  }

  private void validate(Value object, boolean conditionsToo, Strictness strictness) {
    Value hooks = object.get("webhooks");
    Set<String> names = new HashSet<>();
    for (Value hook : hooks) {
      hook(hook, strictness);
      if (conditionsToo) {
        MatchRules.validateMatchConditions(
            hook.get("matchConditions"), expressions, Set.of(PolicyExpressions.Sees.AUTHORIZER));
      }
      versions(hook.get("admissionReviewVersions"), strictness);
      Value name = hook.get("name");
      if (strictness.uniqueNames && name.filled() && !names.add(name.text())) {
        name.duplicate();
      }
    }
  }

  private static void hook(Value hook, Strictness strictness) {
    name(hook.get("name").needed());
    for (Value rule : hook.get("rules")) {
      MatchRules.validateRule(rule);
    }
    hook.declared("failurePolicy", "matchPolicy");
    Value effects = hook.get("sideEffects");
    if (effects.absent()) {
      effects.required("must specify one of " + String.join(", ", strictness.effects));
    }
    GivenText.validateKnown(effects, strictness.effects.toArray(String[]::new));
    Value timeout = hook.get("timeoutSeconds");
    if (timeout.present() && (timeout.number() < 1 || timeout.number() > 30)) {
      timeout.invalid("the timeout value must be between 1 and 30 seconds");
    }
    Labels.validateLabelSelector(hook.get("namespaceSelector"), strictness.labels);
    Labels.validateLabelSelector(hook.get("objectSelector"), strictness.labels);
    if (hook.struct().field("reinvocationPolicy") != null) {
      hook.declared("reinvocationPolicy");
    }
    client(hook.get("clientConfig"));
  }

  /** Kubernetes joins the problems of a name. */
  private static void name(Value name) {
    if (name.filled()) {
      String problem = Names.dnsSubdomain(name.text());
      if (!problem.isEmpty()) {
        name.invalid(problem.replace('\n', ','));
      } else if (name.text().split("\\.", -1).length < 3) {
        name.invalid("should be a domain with at least three segments separated by dots");
      }
    }
  }

  private static void versions(Value versions, Strictness strictness) {
    if (versions.size() == 0) {
      versions.required("must specify one of v1, v1beta1");
      return;
    }
    boolean known = false;
    Set<String> seen = new HashSet<>();
    for (Value version : versions) {
      if (!seen.add(version.text())) {
        version.invalid("duplicate version");
        continue;
      }
      known |= version.is("v1") || version.is("v1beta1");
      version.as(Formats.DNS_1035_LABEL);
    }
    if (strictness.knownVersions && !known) {
      versions.invalid("must include at least one of v1, v1beta1");
    }
  }

  private static void client(Value client) {
    Value url = client.get("url");
    Value service = client.get("service");
    if (url.present() == service.present()) {
      client.required("exactly one of url or service is required");
    } else if (url.present()) {
      WebhookAddresses.validateUrl(url);
    } else {
      service.declared("name", "namespace");
      WebhookAddresses.validatePort(service.get("port"));
      WebhookAddresses.validatePath(service.get("path"));
    }
  }
}
