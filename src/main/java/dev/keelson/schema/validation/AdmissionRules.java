package dev.keelson.schema.validation;

import dev.keelson.api.Names;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Set;

/** Webhooks and policies that extend admission; expressions are not compiled. */
final class AdmissionRules {

  private static final String GROUP = "admissionregistration.k8s.io/";
  private static final Set<String> OPERATIONS =
      Set.of("CREATE", "UPDATE", "DELETE", "CONNECT", "*");
  private static final int MOST_CONDITIONS = 64;

  private AdmissionRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put(GROUP + "MutatingWebhookConfiguration", new Webhooks());
    rules.put(GROUP + "ValidatingWebhookConfiguration", new Webhooks());
    rules.put(GROUP + "ValidatingAdmissionPolicy", new Policy("validations"));
    rules.put(GROUP + "MutatingAdmissionPolicy", new Policy("mutations"));
    rules.put(GROUP + "ValidatingAdmissionPolicyBinding", new Binding(true));
    rules.put(GROUP + "MutatingAdmissionPolicyBinding", new Binding(false));
  }

  private static void rule(Value rule) {
    Value operations = rule.get("operations").needed();
    if (operations.size() > 1 && operations.contains("*")) {
      operations.invalid("if '*' is present, must not specify other operations");
    }
    for (Value operation : operations) {
      if (!OPERATIONS.contains(operation.text())) {
        operation.unsupported(OPERATIONS.toArray(String[]::new));
      }
    }
    Value groups = rule.get("apiGroups").needed();
    if (groups.size() > 1 && groups.contains("*")) {
      groups.invalid("if '*' is present, must not specify other API groups");
    }
    Value versions = rule.get("apiVersions").needed();
    if (versions.size() > 1 && versions.contains("*")) {
      versions.invalid("if '*' is present, must not specify other API versions");
    }
    for (Value version : versions) {
      if (!version.filled()) {
        version.required();
      }
    }
    resources(rule.get("resources").needed());
  }

  private static void resources(Value resources) {
    if (resources.size() > 1 && resources.contains("*/*")) {
      resources.invalid("if '*/*' is present, must not specify other resources");
    }
    boolean all = resources.contains("*");
    for (Value resource : resources) {
      if (!resource.filled()) {
        resource.required();
      } else if (all && !resource.is("*") && resource.text().indexOf('/') < 0) {
        resources.invalid(
            "if '*' is present, must not specify other resources without subresources");
        return;
      }
    }
  }

  private static void conditions(Value conditions) {
    if (conditions.size() > MOST_CONDITIONS) {
      conditions.tooMany(MOST_CONDITIONS);
    }
    for (Value condition : conditions) {
      condition.get("name").qualifiedName();
    }
    conditions.uniqueBy("name");
  }

  private record Webhooks() implements TypeRules {
    @Override
    public void check(Value object) {
      Value hooks = object.get("webhooks");
      for (Value hook : hooks) {
        hook(hook);
      }
      hooks.uniqueBy("name");
    }

    private static void hook(Value hook) {
      name(hook.get("name").needed());
      for (Value rule : hook.get("rules")) {
        rule(rule);
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
      Labels.selector(hook.get("namespaceSelector"));
      Labels.selector(hook.get("objectSelector"));
      versions(hook.get("admissionReviewVersions"));
      client(hook.get("clientConfig"));
      conditions(hook.get("matchConditions"));
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
      for (Value version : versions) {
        known |= version.is("v1") || version.is("v1beta1");
        version.as(Formats.DNS_1035_LABEL);
      }
      if (!known) {
        versions.invalid("must include at least one of v1, v1beta1");
      }
      versions.unique();
    }

    private static void client(Value client) {
      Value url = client.get("url");
      Value service = client.get("service");
      if (url.present() == service.present()) {
        client.required("exactly one of url or service is required");
      } else if (url.present()) {
        url(url);
      } else {
        Value port = service.get("port");
        if (port.present() && (port.number() < 1 || port.number() > 65_535)) {
          port.invalid("port is not valid: must be between 1 and 65535, inclusive");
        }
        path(service.get("path"));
      }
    }

    private static void path(Value path) {
      String text = path.text();
      if (text.isEmpty() || text.equals("/")) {
        return;
      }
      if (text.equals("//")) {
        path.invalid("segment[0] may not be empty");
        return;
      }
      if (!text.startsWith("/")) {
        path.invalid("must start with a '/'");
      }
      // as in Kubernetes, the first character is taken for the slash
      String rest = text.substring(1);
      String[] steps =
          (rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest).split("/", -1);
      for (int i = 0; i < steps.length; i++) {
        if (steps[i].isEmpty()) {
          path.invalid("segment[" + i + "] may not be empty");
          continue;
        }
        String problem = Names.dnsSubdomain(steps[i]);
        if (!problem.isEmpty()) {
          path.invalid("segment[" + i + "]: " + problem);
        }
      }
    }

    private static void url(Value url) {
      String form = "; desired format: https://host[/path]";
      try {
        URI uri = new URI(url.text());
        if (!"https".equals(uri.getScheme())) {
          url.invalid(
              uri.getScheme() == null ? "" : uri.getScheme(),
              "'https' is the only allowed URL scheme" + form);
        }
        if (uri.getRawAuthority() == null) {
          url.invalid("", "host must be specified" + form);
        }
        if (uri.getUserInfo() != null) {
          url.invalid(uri.getUserInfo(), "user information is not permitted in the URL");
        }
        if (uri.getFragment() != null) {
          url.invalid(uri.getFragment(), "fragments are not permitted in the URL");
        }
        if (uri.getRawQuery() != null) {
          url.invalid(uri.getRawQuery(), "query parameters are not permitted in the URL");
        }
      } catch (URISyntaxException e) {
        url.required("url must be a valid URL: " + e.getReason() + form);
      }
    }
  }

  private record Policy(String actions) implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      Value kind = spec.get("paramKind");
      if (kind.present()) {
        kind.get("apiVersion").needed();
        kind.get("kind").needed();
      }
      Value match = spec.get("matchConstraints");
      if (match.absent()) {
        match.required();
      } else {
        match(match, true);
      }
      conditions(spec.get("matchConditions"));
      Value does = spec.get(actions);
      if (does.size() == 0 && spec.get("auditAnnotations").size() == 0) {
        does.required(
            actions.equals("validations")
                ? "validations or auditAnnotations must contain at least one item"
                : "mutations must contain at least one item");
      }
      for (Value variable : spec.get("variables")) {
        variable.get("name").as(Formats.C_IDENTIFIER);
      }
      spec.get("variables").uniqueBy("name");
      for (Value each : spec.get("auditAnnotations")) {
        each.get("key").qualifiedName();
      }
      spec.get("auditAnnotations").uniqueBy("key");
      if (actions.equals("mutations")) {
        for (Value mutation : does) {
          mutation(mutation);
        }
        spec.get("reinvocationPolicy").needed();
      }
    }

    private static void mutation(Value mutation) {
      String wanted =
          switch (mutation.get("patchType").text()) {
            case "ApplyConfiguration" -> "applyConfiguration";
            case "JSONPatch" -> "jsonPatch";
            default -> "";
          };
      if (wanted.isEmpty()) {
        if (!mutation.get("patchType").filled()) {
          mutation.get("patchType").required();
        }
      } else if (mutation.get(wanted).absent()) {
        mutation
            .get(wanted)
            .required("must be specified when patchType is " + mutation.get("patchType").text());
      } else {
        mutation.get(wanted, "expression").needed("expression is not specified");
      }
    }
  }

  private static void match(Value match, boolean needsRules) {
    Labels.selector(match.get("namespaceSelector"));
    Labels.selector(match.get("objectSelector"));
    Value rules = match.get("resourceRules");
    if (needsRules && rules.size() == 0) {
      rules.required();
    }
    for (Value rule : rules) {
      rule(rule);
    }
    for (Value rule : match.get("excludeResourceRules")) {
      rule(rule);
    }
  }

  private record Binding(boolean validating) implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      Value policy = spec.get("policyName").needed();
      policy.dnsSubdomain();
      Value param = spec.get("paramRef");
      if (param.present()) {
        boolean named = param.get("name").filled();
        boolean selected = param.get("selector").present();
        if (named && selected) {
          param.get("name").forbidden("name and selector are mutually exclusive");
        } else if (!named && !selected) {
          param.required("one of name or selector must be specified");
        }
        param.get("parameterNotFoundAction").needed();
      }
      match(spec.get("matchResources"), false);
      if (validating) {
        Value actions = spec.get("validationActions");
        if (actions.contains("Deny") && actions.contains("Warn")) {
          actions.invalid(
              "must not contain both Deny and Warn (repeating the same validation failure"
                  + " information in the API response and headers serves no purpose)");
        }
        actions.unique();
      }
    }
  }
}
