package dev.keelson.schema.validation;

import java.util.Map;

/** Flow schemas and priority levels. */
final class FlowRules {

  private static final String GROUP = "flowcontrol.apiserver.k8s.io/";

  private FlowRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put(GROUP + "FlowSchema", new Schema());
    rules.put(GROUP + "PriorityLevelConfiguration", new Level());
  }

  private record Schema() implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      Value precedence = spec.get("matchingPrecedence");
      if (precedence.present() && (precedence.number() < 1 || precedence.number() > 10_000)) {
        precedence.invalid("must be a value between 1 and 10000");
      }
      spec.get("priorityLevelConfiguration", "name").dnsSubdomain();
      for (Value rule : spec.get("rules")) {
        if (rule.get("resourceRules").size() + rule.get("nonResourceRules").size() == 0) {
          rule.required("at least one of resourceRules and nonResourceRules has to be non-empty");
        }
        for (Value subject : rule.get("subjects")) {
          subject(subject);
        }
        for (Value each : rule.get("resourceRules")) {
          resources(each);
        }
        for (Value each : rule.get("nonResourceRules")) {
          wildcard(each.get("verbs"), "verbs");
          for (Value url : each.get("nonResourceURLs")) {
            if (!url.is("*") && !url.text().startsWith("/")) {
              url.invalid("must start with slash");
            }
          }
        }
      }
    }

    private static void subject(Value subject) {
      switch (subject.get("kind").text()) {
        case "ServiceAccount" -> part(subject, "serviceAccount");
        case "User" -> part(subject, "user");
        case "Group" -> part(subject, "group");
        default -> {
          if (!subject.get("kind").filled()) {
            subject.get("kind").unsupported("Group", "ServiceAccount", "User");
          }
        }
      }
    }

    private static void part(Value subject, String wanted) {
      for (String part : new String[] {"serviceAccount", "user", "group"}) {
        if (part.equals(wanted)) {
          if (subject.get(part).absent()) {
            subject
                .get(part)
                .required(
                    part
                        + " is required when subject kind is '"
                        + subject.get("kind").text()
                        + "'");
          }
        } else if (subject.get(part).present()) {
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
      wildcard(rule.get("verbs"), "verbs");
      wildcard(rule.get("apiGroups"), "api groups");
      wildcard(rule.get("resources"), "resources");
      Value namespaces = rule.get("namespaces");
      if (namespaces.size() == 0 && !rule.get("clusterScope").flag()) {
        namespaces.required(
            "resource rules that are not cluster scoped must supply at least one namespace");
      }
    }

    private static void wildcard(Value list, String what) {
      if (list.size() > 1 && list.contains("*")) {
        list.invalid("if '*' is present, must not specify other " + what);
      }
    }
  }

  private record Level() implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      Value limited = spec.get("limited");
      Value exempt = spec.get("exempt");
      switch (spec.get("type").text()) {
        case "Exempt" -> {
          if (limited.present()) {
            limited.forbidden("must be nil if the type is not Limited");
          }
        }
        case "Limited" -> {
          if (exempt.present()) {
            exempt.forbidden("must be nil if the type is Limited");
          }
          if (limited.absent()) {
            limited.required("must not be empty when type is Limited");
          } else {
            limited(limited);
          }
        }
        default -> {}
      }
    }

    private static void limited(Value limited) {
      limited.get("nominalConcurrencyShares").notNegative();
      Value percent = limited.get("lendablePercent");
      if (percent.present() && (percent.number() < 0 || percent.number() > 100)) {
        percent.invalid("must be between 0 and 100, inclusive");
      }
      Value borrow = limited.get("borrowingLimitPercent");
      if (borrow.present() && borrow.number() < 0) {
        borrow.invalid("if specified, must be a non-negative integer");
      }
      Value response = limited.get("limitResponse");
      Value queuing = response.get("queuing");
      if (response.get("type").is("Reject") && queuing.present()) {
        queuing.forbidden("must be nil if limited.limitResponse.type is not Limited");
      }
      if (response.get("type").is("Queue")) {
        if (queuing.absent()) {
          queuing.required("must not be empty if limited.limitResponse.type is Limited");
          return;
        }
        for (String field : new String[] {"queueLengthLimit", "queues", "handSize"}) {
          Value number = queuing.get(field);
          if (number.present() && number.number() <= 0) {
            number.invalid("must be positive");
          }
        }
        Value hand = queuing.get("handSize");
        if (hand.number() > queuing.get("queues").number() && queuing.get("queues").number() > 0) {
          hand.invalid(
              "should not be greater than queues (" + queuing.get("queues").number() + ")");
        }
      }
    }
  }
}
