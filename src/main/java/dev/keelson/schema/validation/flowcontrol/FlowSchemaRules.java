package dev.keelson.schema.validation.flowcontrol;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.FlowControlDefaults;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.GoQuote;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Flow schemas. */
final class FlowSchemaRules implements KindRules {
  private static final int LAST_PRECEDENCE = 10_000;
  private static final String EXEMPT = "exempt";
  private static final String[] METHODS = {"ByNamespace", "ByUser"};
  private static final String[] VERBS = {
    "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"
  };

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    String name = object.get("metadata", "name").text();
    precedence(spec.get("matchingPrecedence"), name);
    Value method = spec.get("distinguisherMethod").get("type");
    if (spec.get("distinguisherMethod").present() && !List.of(METHODS).contains(method.text())) {
      // Kubernetes shows the method, not its type
      method.unsupportedAs("{\"Type\":" + GoQuote.quote(method.text()) + "}", METHODS);
    }
    spec.get("priorityLevelConfiguration", "name")
        .needed("must reference a priority level")
        .dnsSubdomain();
    for (Value rule : spec.get("rules")) {
      rule(rule);
    }
    MapNode fixed = FlowControlDefaults.mandatory(FlowControlDefaults.flowSchemas(), name);
    if (fixed != null && !spec.map().equals(fixed)) {
      spec.invalid("spec of '" + name + "' must equal the fixed value");
    }
    FlowControlConditions.validateConditions(object.get("status"));
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    FlowControlConditions.validateConditions(object.get("status"));
  }

  private static void precedence(Value precedence, String name) {
    if (precedence.present() && precedence.number() <= 0) {
      precedence.invalid("must be a positive value");
    }
    if (precedence.number() > LAST_PRECEDENCE) {
      precedence.invalid("must not be greater than " + LAST_PRECEDENCE);
    }
    if (precedence.number() == 1 && !name.equals(EXEMPT)) {
      precedence.invalid("only the schema named 'exempt' may have matchingPrecedence 1");
    }
  }

  private static void rule(Value rule) {
    if (rule.get("subjects").size() == 0) {
      rule.get("subjects").required("subjects must contain at least one value");
    }
    for (Value subject : rule.get("subjects")) {
      subject(subject);
    }
    if (rule.get("resourceRules").size() + rule.get("nonResourceRules").size() == 0) {
      rule.required("at least one of resourceRules and nonResourceRules has to be non-empty");
    }
    for (Value each : rule.get("resourceRules")) {
      resources(each);
    }
    for (Value each : rule.get("nonResourceRules")) {
      verbs(each.get("verbs"));
      paths(each.get("nonResourceURLs"));
    }
  }

  private static void subject(Value subject) {
    switch (subject.get("kind").text()) {
      case "ServiceAccount" -> {
        required(subject, "serviceAccount");
        Value account = subject.get("serviceAccount");
        if (account.present()) {
          if (!account.get("name").needed().is("*")) {
            account.get("name").dnsSubdomain();
          }
          account.get("namespace").needed("must specify namespace for service account").dnsLabel();
        }
        forbidOthers(subject, "serviceAccount");
      }
      case "User" -> named(subject, "user");
      case "Group" -> named(subject, "group");
      default -> subject.get("kind").unsupported("Group", "ServiceAccount", "User");
    }
  }

  private static void named(Value subject, String part) {
    required(subject, part);
    if (subject.get(part).present()) {
      Value unused = subject.get(part, "name").needed();
    }
    forbidOthers(subject, part);
  }

  private static void required(Value subject, String wanted) {
    if (subject.get(wanted).absent()) {
      subject
          .get(wanted)
          .required(
              wanted + " is required when subject kind is '" + subject.get("kind").text() + "'");
    }
  }

  private static void forbidOthers(Value subject, String wanted) {
    for (String part : new String[] {"serviceAccount", "user", "group"}) {
      if (!part.equals(wanted) && subject.get(part).present()) {
        subject
            .get(part)
            .forbidden(
                part
                    + " is forbidden when subject kind is not '"
                    + Character.toUpperCase(part.charAt(0))
                    + part.substring(1)
                    + "'");
      }
    }
  }

  private static void resources(Value rule) {
    verbs(rule.get("verbs"));
    if (rule.get("apiGroups").size() == 0) {
      rule.get("apiGroups").required("resource rules must supply at least one api group");
    }
    wildcard(rule.get("apiGroups"), "api groups");
    if (rule.get("resources").size() == 0) {
      rule.get("resources").required("resource rules must supply at least one resource");
    }
    wildcard(rule.get("resources"), "resources");
    Value namespaces = rule.get("namespaces");
    if (namespaces.size() == 0 && !rule.get("clusterScope").flag()) {
      namespaces.required(
          "resource rules that are not cluster scoped must supply at least one namespace");
    } else if (!namespaces.contains("*")) {
      for (Value namespace : namespaces) {
        String problem = Formats.DNS_LABEL.apply(namespace.text());
        if (!problem.isEmpty()) {
          namespace.invalid("each member of this list must be '*' or a DNS-1123 label; " + problem);
        }
      }
    }
    wildcard(namespaces, "namespaces");
  }

  private static void verbs(Value verbs) {
    if (verbs.size() == 0) {
      verbs.required("verbs must contain at least one value");
    } else if (verbs.contains("*")) {
      wildcard(verbs, "verbs");
    } else {
      for (Value verb : verbs) {
        if (!Set.of(VERBS).contains(verb.text())) {
          verbs.unsupported(VERBS);
          return;
        }
      }
    }
  }

  private static void wildcard(Value list, String what) {
    if (list.size() > 1 && list.contains("*")) {
      list.invalid("if '*' is present, must not specify other " + what);
    }
  }

  private static void paths(Value paths) {
    if (paths.size() == 0) {
      paths.required("nonResourceURLs must contain at least one value");
    } else if (paths.contains("*")) {
      wildcard(paths, "non-resource URLs");
    } else {
      for (Value path : paths) {
        String problem = problemOf(path.text());
        if (problem != null) {
          path.invalid(problem);
        }
      }
    }
  }

  private static @Nullable String problemOf(String path) {
    if (path.isEmpty()) {
      return "must not be empty";
    }
    if (!path.startsWith("/")) {
      return "must start with slash";
    }
    if (path.contains(" ")) {
      return "must not contain white-space";
    }
    if (path.contains("//")) {
      return "must not contain double slash";
    }
    int star = path.indexOf('*');
    if (star >= 0 && (star < path.length() - 1 || !path.endsWith("/*"))) {
      return "wildcard can only do suffix matching";
    }
    return null;
  }
}
