package dev.keelson.schema.validation;

import dev.keelson.api.Names;
import java.util.Map;
import java.util.Set;

/** What an operator sets up for a cluster: nodes, limits, quotas, priorities, runtimes, leases. */
final class ClusterRules {

  private ClusterRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put("/Node", new Node());
    rules.put("/LimitRange", new LimitRange());
    rules.put("/ResourceQuota", new ResourceQuota());
    rules.put("/Namespace", new Namespace());
    rules.put("scheduling.k8s.io/PriorityClass", new PriorityClass());
    rules.put("node.k8s.io/RuntimeClass", new RuntimeClass());
    rules.put("coordination.k8s.io/Lease", new Lease());
  }

  private record Namespace() implements TypeRules {
    @Override
    public void check(Value object) {
      for (Value finalizer : object.get("spec", "finalizers")) {
        String problem = Names.qualifiedName(finalizer.text());
        if (!problem.isEmpty()) {
          object.get("spec", "finalizers").invalid(finalizer.text(), problem);
        } else if (finalizer.text().indexOf('/') < 0 && !finalizer.is("kubernetes")) {
          object
              .get("spec", "finalizers")
              .invalid(
                  finalizer.text(),
                  "name is neither a standard finalizer name nor is it fully qualified");
        }
      }
    }

    @Override
    public void subresourceChanged(String subresource, Value object, Value old) {
      check(object);
    }

    @Override
    public void statusChanged(Value object, Value old) {
      boolean deleting = object.get("metadata", "deletionTimestamp").present();
      String expected = deleting ? "Terminating" : "Active";
      Value phase = object.get("status", "phase");
      if (phase.filled() && !phase.is(expected)) {
        object
            .get("status", "Phase")
            .invalid(
                phase.text(),
                "may only be '"
                    + expected
                    + "' if `deletionTimestamp` is "
                    + (deleting ? "not empty" : "empty"));
      }
    }
  }

  private record Node() implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      // Kubernetes says metadata where spec is meant
      Value taints = object.get("metadata", "taints").holding(spec.get("taints").node());
      Seen seen = new Seen();
      for (Value taint : taints) {
        taint(taint, seen);
      }
      Value cidrs = spec.get("podCIDRs");
      for (Value cidr : cidrs) {
        cidr.as(Formats.CIDR);
      }
      cidrs.unique();
      boolean sameFamily =
          cidrs.size() == 2 && cidrs.at(0).text().contains(":") == cidrs.at(1).text().contains(":");
      if (cidrs.size() > 2 || sameFamily) {
        cidrs.invalid("may specify no more than one CIDR for each IP family");
      }
      if (spec.get("configSource").present()) {
        spec.get("configSource").forbidden("configSource may not be set");
      }
    }

    private static void taint(Value taint, Seen seen) {
      Labels.name(taint.get("key"));
      String problem = Names.labelValue(taint.get("value").text());
      if (!problem.isEmpty()) {
        taint.get("value").invalid(problem);
      }
      Value effect = taint.get("effect").needed();
      if (effect.filled()) {
        effect.oneOf("NoExecute", "NoSchedule", "PreferNoSchedule");
      }
      if (!seen.addAll(taint.get("key"), effect)) {
        taint.duplicateBecause("taints must be unique by key and effect pair");
      }
    }

    @Override
    public void changed(Value object, Value old) {
      Value spec = object.get("spec");
      Value was = old.get("spec");
      if (was.get("podCIDRs").size() > 0 && !spec.get("podCIDRs").sameAs(was.get("podCIDRs"))) {
        spec.get("podCIDRs")
            .forbidden("node updates may not change podCIDR except from \"\" to valid");
      }
      if (was.get("providerID").filled() && !spec.get("providerID").sameAs(was.get("providerID"))) {
        spec.get("providerID")
            .forbidden("node updates may not change providerID except from \"\" to valid");
      }
      if (!spec.get("externalID").text().equals(was.get("externalID").text())) {
        spec.get("externalID").forbidden("may not be updated");
      }
    }

    @Override
    public void statusChanged(Value object, Value old) {
      Value status = object.get("status");
      for (String field : new String[] {"capacity", "allocatable"}) {
        for (Value amount : status.get(field)) {
          Amount.notNegative(amount);
        }
      }
      status.get("addresses").unique();
    }
  }

  private record LimitRange() implements TypeRules {
    @Override
    public void check(Value object) {
      Value limits = object.get("spec", "limits");
      for (Value limit : limits) {
        limit(limit);
      }
      limits.uniqueBy("type");
    }

    private static void limit(Value limit) {
      Value type = limit.get("type");
      Labels.name(type);
      if (type.filled()
          && type.text().indexOf('/') < 0
          && !Set.of("Pod", "Container", "PersistentVolumeClaim").contains(type.text())) {
        type.invalid("must be a standard limit type or fully qualified");
      }
      if (type.is("Pod")) {
        for (String field : new String[] {"default", "defaultRequest"}) {
          if (limit.get(field).size() > 0) {
            limit.get(field).forbidden("may not be specified when `type` is 'Pod'");
          }
        }
      }
      if (type.is("PersistentVolumeClaim")
          && limit.get("min").key("storage").absent()
          && limit.get("max").key("storage").absent()) {
        limit.required(
            "either minimum or maximum storage value is required, but neither was provided");
      }
      for (String field :
          new String[] {"max", "min", "default", "defaultRequest", "maxLimitRequestRatio"}) {
        for (Value amount : limit.get(field)) {
          if (type.is("Pod") || type.is("Container")) {
            ResourceRules.containerName(amount, amount.name());
          } else {
            ResourceRules.name(amount, amount.name());
          }
        }
      }
      order(limit, "min", "max", "min value", "max value");
      order(limit, "defaultRequest", "max", "default request value", "max value");
      orderReversed(limit, "default", "max", "default value", "max value", "default");
      order(limit, "defaultRequest", "default", "default request value", "default limit value");
      orderReversed(
          limit, "min", "defaultRequest", "min value", "default request value", "defaultRequest");
      for (Value amount : limit.get("min")) {
        Value other = limit.get("default").key(amount.name());
        if (other.present() && Amount.more(amount, other)) {
          other.invalid(
              Amount.shown(amount),
              "min value "
                  + Amount.shown(amount)
                  + " is greater than default value "
                  + Amount.shown(other));
        }
      }
      for (Value ratio : limit.get("maxLimitRequestRatio")) {
        java.math.BigDecimal number = Amount.of(ratio);
        if (number != null && number.compareTo(java.math.BigDecimal.ONE) < 0) {
          ratio.invalid(Amount.shown(ratio), "ratio " + Amount.shown(ratio) + " is less than 1");
        }
      }
    }

    /** The lower of two must not be above the other; told at the lower. */
    private static void order(
        Value limit, String low, String high, String lowName, String highName) {
      for (Value amount : limit.get(low)) {
        Value other = limit.get(high).key(amount.name());
        if (other.present() && Amount.more(amount, other)) {
          amount.invalid(
              Amount.shown(amount),
              lowName
                  + " "
                  + Amount.shown(amount)
                  + " is greater than "
                  + highName
                  + " "
                  + Amount.shown(other));
        }
      }
    }

    /** As {@link #order}, told at the field {@code at}, with the upper of the two. */
    private static void orderReversed(
        Value limit, String low, String high, String lowName, String highName, String at) {
      for (Value amount : limit.get(low)) {
        Value other = limit.get(high).key(amount.name());
        if (other.present() && Amount.more(amount, other)) {
          limit
              .get(at)
              .key(amount.name())
              .invalid(
                  Amount.shown(other),
                  lowName
                      + " "
                      + Amount.shown(amount)
                      + " is greater than "
                      + highName
                      + " "
                      + Amount.shown(other));
        }
      }
    }
  }

  private record ResourceQuota() implements TypeRules {
    private static final Set<String> EXISTING =
        Set.of(
            "Terminating",
            "NotTerminating",
            "BestEffort",
            "NotBestEffort",
            "CrossNamespacePodAffinity");
    private static final Set<String> COMPUTE =
        Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

    private static final Set<String> SCOPES =
        Set.of(
            "Terminating",
            "NotTerminating",
            "BestEffort",
            "NotBestEffort",
            "PriorityClass",
            "CrossNamespacePodAffinity",
            "VolumeAttributesClass");

    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      for (Value amount : spec.get("hard")) {
        ResourceRules.quotaName(amount, amount.name());
        ResourceRules.quotaAmount(amount);
      }
      Value scopes = spec.get("scopes");
      for (Value scope : scopes) {
        if (!SCOPES.contains(scope.text())) {
          scopes.invalid("unsupported scope");
        }
      }
      conflict(scopes, "BestEffort", "NotBestEffort");
      conflict(scopes, "Terminating", "NotTerminating");
      for (Value scope : scopes) {
        fits(scope.text(), spec.get("hard"), scopes);
      }
      Value expressions = spec.get("scopeSelector", "matchExpressions");
      for (Value each : expressions) {
        selector(each, expressions);
        fits(
            each.get("scopeName").text(),
            spec.get("hard"),
            expressions.holding(spec.get("scopeSelector").node()));
      }
    }

    private static void conflict(Value scopes, String one, String other) {
      if (scopes.contains(one) && scopes.contains(other)) {
        scopes.invalid("conflicting scopes");
      }
    }

    /** Scopes are for what pods ask for; the best effort one only for their number. */
    private static void fits(String scope, Value hard, Value shownAt) {
      if (!SCOPES.contains(scope)) {
        return;
      }
      for (Value amount : hard) {
        boolean fits =
            amount.name().equals("pods")
                || COMPUTE.contains(amount.name()) && !scope.equals("BestEffort");
        if (ResourceRules.STANDARD.contains(amount.name())
            && !amount.name().equals("storage")
            && !fits
            && !scope.equals("VolumeAttributesClass")) {
          shownAt.invalid("unsupported scope applied to resource");
        }
      }
    }

    /** Kubernetes names the list of expressions, not the one. */
    private static void selector(Value each, Value list) {
      Value scope = list.get("scopeName").holding(each.get("scopeName").node());
      if (!SCOPES.contains(scope.text())) {
        Labels.orEmpty(scope).invalid("unsupported scope");
      }
      Value operator = list.get("operator").holding(each.get("operator").node());
      if (EXISTING.contains(scope.text()) && !operator.is("Exists")) {
        Labels.orEmpty(operator)
            .invalid(
                "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
                    + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
                    + " ResourceQuotaScopeNotBestEffort or"
                    + " ResourceQuotaScopeCrossNamespacePodAffinity");
      }
      Value values = list.get("values").holding(each.get("values").node());
      switch (each.get("operator").text()) {
        case "In", "NotIn" -> {
          if (values.size() == 0) {
            values.required(
                "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
          }
        }
        case "Exists", "DoesNotExist" -> {
          if (values.size() > 0) {
            values.invalid(
                "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
          }
        }
        default -> Labels.orEmpty(operator).invalid("not a valid selector operator");
      }
    }

    @Override
    public void changed(Value object, Value old) {
      Value scopes = object.get("spec", "scopes");
      if (!java.util.Set.copyOf(scopes.items())
          .equals(java.util.Set.copyOf(old.get("spec", "scopes").items()))) {
        scopes.invalid("field is immutable");
      }
    }

    @Override
    public void statusChanged(Value object, Value old) {
      for (String field : new String[] {"hard", "used"}) {
        for (Value amount : object.get("status", field)) {
          ResourceRules.quotaAmount(amount);
        }
      }
    }
  }

  private record PriorityClass() implements TypeRules {
    private static final long HIGHEST = 1_000_000_000L;
    private static final Map<String, Long> SYSTEM =
        Map.of("system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L);

    @Override
    public void check(Value object) {
      Value name = object.get("metadata", "name");
      Value value = object.get("value");
      if (name.text().startsWith("system-")) {
        Long known = SYSTEM.get(name.text());
        if (known == null || known != value.number()) {
          name.forbidden(
              "priority class names with 'system-' prefix are reserved for system use only");
        }
      } else if (value.number() > HIGHEST) {
        value.forbidden("maximum allowed value of a user defined priority is " + HIGHEST);
      }
    }

    @Override
    public void changed(Value object, Value old) {
      if (object.get("value").number() != old.get("value").number()) {
        object.get("value").forbidden("may not be changed in an update.");
      }
      Value policy = object.get("preemptionPolicy");
      if (policy.present() || old.get("preemptionPolicy").present()) {
        policy.immutable(old.get("preemptionPolicy"));
      }
    }
  }

  private record RuntimeClass() implements TypeRules {
    @Override
    public void check(Value object) {
      Value handler = Labels.orEmpty(object.get("handler"));
      String problem = Names.dnsLabel(handler.text());
      if (!problem.isEmpty()) {
        handler.invalid(problem);
      }
      for (Value amount : object.get("overhead", "podFixed")) {
        Amount.notNegative(amount);
      }
      Labels.map(object.get("scheduling", "nodeSelector"));
      for (Value toleration : object.get("scheduling", "tolerations")) {
        SchedulingRules.toleration(toleration);
      }
    }

    @Override
    public void changed(Value object, Value old) {
      object.get("handler").immutable(old.get("handler"));
    }
  }

  private record Lease() implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      Value holder = spec.get("holderIdentity");
      if (holder.present() && !holder.filled()) {
        holder.invalid("must not be empty");
      }
      spec.get("leaseDurationSeconds").positive();
      spec.get("leaseTransitions").notNegative();
      if (spec.get("preferredHolder").filled() && !spec.get("strategy").filled()) {
        spec.get("preferredHolder").forbidden("may only be specified if `strategy` is defined");
      }
    }
  }
}
