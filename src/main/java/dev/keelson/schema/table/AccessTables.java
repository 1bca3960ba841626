package dev.keelson.schema.table;

import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Tables of the kinds of authorization and admission. */
final class AccessTables {

  private static final String NONE = "<none>";
  private static final String UNSET = "<unset>";

  private AccessTables() {}

  static void addTo(TableRows tables) {
    tables.put("rbac.authorization.k8s.io", "RoleBinding", binding());
    tables.put("rbac.authorization.k8s.io", "ClusterRoleBinding", binding());
    tables.put("certificates.k8s.io", "CertificateSigningRequest", signingRequest());
    for (String kind : List.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")) {
      tables.put(
          "admissionregistration.k8s.io",
          kind,
          Columns.named()
              .number("Webhooks", "Webhooks that are called.")
              .age()
              .reading("webhooks.#")
              .of(
                  (object, row) ->
                      row.name(object).number(object.items("webhooks").size()).age(object)));
    }
    tables.put(
        "admissionregistration.k8s.io",
        "ValidatingAdmissionPolicy",
        policy("Validations", "validations"));
    tables.put(
        "admissionregistration.k8s.io",
        "MutatingAdmissionPolicy",
        policy("Mutations", "mutations"));
    tables.put("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", policyBinding());
    tables.put("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding", policyBinding());
    tables.put("apiregistration.k8s.io", "APIService", apiService());
    tables.put("flowcontrol.apiserver.k8s.io", "FlowSchema", flowSchema());
    tables.put("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", priorityLevel());
  }

  private static TableDefinition binding() {
    return Columns.named()
        .text("Role", "Role that is given.")
        .age()
        .wide("Users", "Users who have it.")
        .wide("Groups", "Groups whose members have it.")
        .wide("ServiceAccounts", "Service accounts that have it.")
        .reading(
            "roleRef.kind", "roleRef.name", "subjects.kind", "subjects.name", "subjects.namespace")
        .of(
            (object, row) -> {
              MapNode role = object.map("roleRef");
              row.name(object)
                  .text(role.text("kind") + "/" + role.text("name"))
                  .age(object)
                  .text(subjects(object, "User"))
                  .text(subjects(object, "Group"))
                  .text(subjects(object, "ServiceAccount"));
            });
  }

  private static String subjects(MapNode binding, String kind) {
    List<String> names = new ArrayList<>();
    for (MapNode subject : binding.maps("subjects")) {
      if (subject.text("kind").equals(kind)) {
        String namespace = subject.text("namespace");
        names.add(
            kind.equals("ServiceAccount") && !namespace.isEmpty()
                ? namespace + "/" + subject.text("name")
                : subject.text("name"));
      }
    }
    return String.join(", ", names);
  }

  private static TableDefinition signingRequest() {
    return Columns.named()
        .age()
        .text("SignerName", "Who is asked to sign.")
        .text("Requestor", "Who asks.")
        .text("RequestedDuration", "How long the certificate should be valid.")
        .text("Condition", "How far the request is.")
        .reading(
            "spec.signerName",
            "spec.username",
            "spec.expirationSeconds",
            "status.conditions.type",
            "status.certificate")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              row.name(object)
                  .age(object)
                  .textOrNone(spec.text("signerName"))
                  .text(spec.text("username"))
                  .text(
                      spec.has("expirationSeconds")
                          ? WorkloadTables.seconds(Text.number(spec, "expirationSeconds"))
                          : NONE)
                  .text(requestCondition(object.map("status")));
            });
  }

  private static String requestCondition(MapNode status) {
    List<String> types = new ArrayList<>();
    status.maps("conditions").forEach(condition -> types.add(condition.text("type")));
    String word =
        types.contains("Denied") ? "Denied" : types.contains("Approved") ? "Approved" : "Pending";
    return word
        + (types.contains("Failed") ? ",Failed" : "")
        + (status.text("certificate").isEmpty() ? "" : ",Issued");
  }

  private static TableDefinition apiService() {
    return Columns.named()
        .text("Service", "The reference to the service that hosts this API endpoint.")
        .text("Available", "Whether this service is available.")
        .age()
        .reading(
            "spec.service.namespace",
            "spec.service.name",
            "status.conditions.type",
            "status.conditions.status",
            "status.conditions.reason")
        .of(
            (object, row) -> {
              MapNode service = object.map("spec").map("service");
              row.name(object)
                  .text(
                      object.map("spec").has("service")
                          ? service.text("namespace") + "/" + service.text("name")
                          : "Local")
                  .text(availability(object.map("status")))
                  .age(object);
            });
  }

  private static String availability(MapNode status) {
    for (MapNode condition : status.maps("conditions")) {
      if (condition.text("type").equals("Available")) {
        String value = condition.text("status");
        String reason = condition.text("reason");
        return value.equals("True") || reason.isEmpty() ? value : value + " (" + reason + ")";
      }
    }
    return "Unknown";
  }

  private static TableDefinition policy(String column, String field) {
    return Columns.named()
        .number(column, "Rules that it has.")
        .text("ParamKind", "Kind of the objects that parametrise it.")
        .age()
        .reading("spec." + field + ".#", "spec.paramKind")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              MapNode kind = spec.map("paramKind");
              row.name(object)
                  .number(spec.items(field).size())
                  .text(
                      spec.has("paramKind")
                          ? kind.text("apiVersion") + "/" + kind.text("kind")
                          : UNSET)
                  .age(object);
            });
  }

  private static TableDefinition policyBinding() {
    return Columns.named()
        .text("PolicyName", "Policy that is put to work.")
        .text("ParamRef", "Object that parametrises it.")
        .age()
        .reading("spec.policyName", "spec.paramRef")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              row.name(object)
                  .text(spec.text("policyName"))
                  .text(spec.has("paramRef") ? parameter(spec.map("paramRef")) : UNSET)
                  .age(object);
            });
  }

  private static String parameter(MapNode reference) {
    String name = reference.text("name");
    if (name.isEmpty()) {
      return reference.has("selector") ? goSelector(reference.map("selector")) : UNSET;
    }
    String namespace = reference.text("namespace");
    return (namespace.isEmpty() ? "*" : namespace) + "/" + name;
  }

  /** A label selector as Go prints its type, which is what this column shows in Kubernetes. */
  private static String goSelector(MapNode selector) {
    StringBuilder go = new StringBuilder("&LabelSelector{MatchLabels:map[string]string{");
    new TreeMap<>(selector.map("matchLabels").texts())
        .forEach((key, value) -> go.append(key).append(": ").append(value).append(','));
    go.append("},MatchExpressions:[]LabelSelectorRequirement{");
    for (MapNode term : selector.maps("matchExpressions")) {
      go.append("LabelSelectorRequirement{Key:").append(term.text("key"));
      go.append(",Operator:").append(term.text("operator")).append(",Values:[");
      go.append(String.join(" ", Text.texts(term.items("values")))).append("],},");
    }
    return go.append("},}").toString();
  }

  private static TableDefinition flowSchema() {
    return Columns.named()
        .text("PriorityLevel", "Priority level of the requests.")
        .count("MatchingPrecedence", "Order among flow schemas; the lowest wins.")
        .text("DistinguisherMethod", "How requests are told apart.")
        .age()
        .text("MissingPL", "Whether the priority level is missing.")
        .reading(
            "spec.priorityLevelConfiguration.name",
            "spec.matchingPrecedence",
            "spec.distinguisherMethod",
            "status.conditions.type",
            "status.conditions.status")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              row.name(object)
                  .text(spec.map("priorityLevelConfiguration").text("name"))
                  .number(Text.number(spec, "matchingPrecedence"))
                  .text(
                      spec.has("distinguisherMethod")
                          ? spec.map("distinguisherMethod").text("type")
                          : NONE)
                  .age(object)
                  .text(dangling(object.map("status")));
            })
        .sorted(
            Comparator.<MapNode>comparingLong(
                    schema -> Text.number(schema.map("spec"), "matchingPrecedence"))
                .thenComparing(schema -> schema.map("metadata").text("name")));
  }

  private static String dangling(MapNode status) {
    for (MapNode condition : status.maps("conditions")) {
      if (condition.text("type").equals("Dangling")) {
        return condition.text("status");
      }
    }
    return "?";
  }

  private static TableDefinition priorityLevel() {
    return Columns.named()
        .text("Type", "Whether requests are limited.")
        .count("NominalConcurrencyShares", "Share of what the server takes at a time.")
        .count("Queues", "Queues of waiting requests.")
        .count("HandSize", "Queues that a flow may use.")
        .count("QueueLengthLimit", "Requests that a queue holds.")
        .age()
        .reading("spec.type", "spec.limited")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              MapNode limits = spec.map("limited");
              MapNode queuing = limits.map("limitResponse").map("queuing");
              row.name(object)
                  .text(spec.text("type"))
                  .numberOr(limits, "nominalConcurrencyShares", NONE)
                  .numberOr(queuing, "queues", NONE)
                  .numberOr(queuing, "handSize", NONE)
                  .numberOr(queuing, "queueLengthLimit", NONE)
                  .age(object);
            });
  }
}
