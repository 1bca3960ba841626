package dev.keelson.schema.validation.admissionregistration;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.WebhookAddresses;
import java.util.HashSet;
import java.util.Set;

/** Configurations of validating and mutating webhooks. */
record WebhookConfigurationRules(PolicyExpressions expressions) implements KindRules {
  @Override
  public void validateCreate(Value object) {
    validate(object, true);
  }

  /** Match conditions that were valid once are not compiled again, as long as all of them stay. */
  @Override
  public void validateUpdate(Value object, Value old) {
    Value hooks = object.get("webhooks");
    Value before = old.get("webhooks");
    boolean changed = hooks.size() != before.size();
    for (int i = 0; i < hooks.size() && !changed; i++) {
      changed = !hooks.at(i).get("matchConditions").sameAs(before.at(i).get("matchConditions"));
    }
    validate(object, changed);
  }

  private void validate(Value object, boolean conditionsToo) {
    Value hooks = object.get("webhooks");
    Set<String> names = new HashSet<>();
    for (Value hook : hooks) {
      hook(hook);
      if (conditionsToo) {
        MatchRules.validateMatchConditions(
            hook.get("matchConditions"), expressions, Set.of(PolicyExpressions.Sees.AUTHORIZER));
      }
      versions(hook.get("admissionReviewVersions"));
      Value name = hook.get("name");
      if (name.filled() && !names.add(name.text())) {
        name.duplicate();
      }
    }
  }

  private static void hook(Value hook) {
    name(hook.get("name").needed());
    for (Value rule : hook.get("rules")) {
      MatchRules.validateRule(rule);
    }
    Value effects = hook.get("sideEffects");
    if (!effects.filled()) {
      effects.required("must specify one of None, NoneOnDryRun");
    } else {
      effects.oneOf("None", "NoneOnDryRun");
    }
    Value timeout = hook.get("timeoutSeconds");
    if (timeout.present() && (timeout.number() < 1 || timeout.number() > 30)) {
      timeout.invalid("the timeout value must be between 1 and 30 seconds");
    }
    Labels.validateLabelSelector(hook.get("namespaceSelector"));
    Labels.validateLabelSelector(hook.get("objectSelector"));
    client(hook.get("clientConfig"));
  }

  private static void name(Value name) {
    name.dnsSubdomain();
    if (name.filled()
        && Names.dnsSubdomain(name.text()).isEmpty()
        && name.text().split("\\.", -1).length < 3) {
      name.invalid("should be a domain with at least three segments separated by dots");
    }
  }

  private static void versions(Value versions) {
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
    if (!known) {
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
      WebhookAddresses.validatePort(service.get("port"));
      WebhookAddresses.validatePath(service.get("path"));
    }
  }
}
