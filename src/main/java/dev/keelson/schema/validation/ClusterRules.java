package dev.keelson.schema.validation;

import dev.keelson.api.Names;
import dev.keelson.object.Node;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What an operator sets up for a cluster: nodes, limits, quotas, priorities, runtimes, leases. */
final class ClusterRules {

  private ClusterRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put("/Node", new ClusterNode());
    rules.put("/LimitRange", new LimitRange());
    rules.put("/ResourceQuota", new ResourceQuota());
    rules.put("/Namespace", new Namespace());
    rules.put("scheduling.k8s.io/PriorityClass", new PriorityClass());
    rules.put("node.k8s.io/RuntimeClass", new RuntimeClass());
    rules.put("coordination.k8s.io/Lease", new Lease());
  }

  private record Namespace() implements TypeRules {
    private static final Set<String> PLAIN = Set.of("kubernetes", "orphan", "foregroundDeletion");

    @Override
    public void created(Value object) {
      Value finalizers = object.get("spec", "finalizers");
      for (Value finalizer : finalizers) {
        // Kubernetes names the list here, and the entry where it is changed
        finalizer(finalizers.holding(finalizer.node()));
      }
    }

    private static void finalizer(Value finalizer) {
      Labels.name(finalizer);
      if (finalizer.text().indexOf('/') < 0 && !PLAIN.contains(finalizer.text())) {
        Labels.orEmpty(finalizer)
            .invalid("name is neither a standard finalizer name nor is it fully qualified");
      }
    }

    @Override
    public void subresourceChanged(String subresource, Value object, Value old) {
      for (Value finalizer : object.get("spec", "finalizers")) {
        finalizer(finalizer);
      }
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

  private record ClusterNode() implements TypeRules {
    @Override
    public boolean tellsOfTheChangeFirst() {
      return true;
    }

    @Override
    public boolean asksForDeclared() {
      return true;
    }

    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      // Kubernetes says metadata where spec is meant
      Value taints = object.get("metadata", "taints").holding(spec.get("taints").node());
      Seen seen = new Seen();
      for (Value taint : taints) {
        taint(taint, seen);
      }
      if (spec.get("configSource").present()) {
        spec.get("configSource").forbidden("configSource may not be set");
      }
    }

    @Override
    public void created(Value object) {
      resources(object.get("status"));
      Value cidrs = object.get("spec", "podCIDRs");
      boolean isOld = false;
      boolean isNew = false;
      for (Value cidr : cidrs) {
        if (!Formats.isCidr(cidr.text())) {
          cidr.invalid(Formats.CIDR.apply(cidr.text()));
        }
        isNew |= cidr.text().contains(":");
        isOld |= !cidr.text().contains(":");
      }
      if (cidrs.size() > 2 || cidrs.size() == 2 && !(isOld && isNew)) {
        cidrs.invalid("may specify no more than one CIDR for each IP family");
      }
      cidrs.unique();
    }

    private static void resources(Value status) {
      for (String field : new String[] {"capacity", "allocatable"}) {
        for (Value amount : status.get(field)) {
          ResourceRules.quantity(status.get(field).get(amount.name()));
        }
      }
    }

    private static void taint(Value taint, Seen seen) {
      Labels.name(taint.get("key"));
      String problem = Names.labelValue(taint.get("value").text());
      if (!problem.isEmpty()) {
        taint.get("value").invalid(problem.replace('\n', ';'));
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
      status(object.get("status"));
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
      status(object.get("status"));
    }

    private static void status(Value status) {
      resources(status);
      Value addresses = status.get("addresses");
      addresses.unique();
    }
  }

  private record LimitRange() implements TypeRules {
    private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");

    @Override
    public boolean asksForDeclared() {
      return true;
    }

    @Override
    public void check(Value object) {
      Set<String> types = new HashSet<>();
      for (Value limit : object.get("spec", "limits")) {
        Value type = Labels.orEmpty(limit.get("type"));
        type(type);
        if (!types.add(type.text())) {
          type.duplicate();
        }
        limit(limit, type);
      }
    }

    private static void type(Value type) {
      String problem = Names.qualifiedName(type.text());
      if (!problem.isEmpty()) {
        type.invalid(problem);
      } else if (type.text().indexOf('/') < 0 && !TYPES.contains(type.text())) {
        type.invalid("must be a standard limit type or fully qualified");
      }
    }

    private static void limit(Value limit, Value type) {
      Set<String> keys = new TreeSet<>();
      names(limit.get("max"), type, keys);
      names(limit.get("min"), type, keys);
      for (String field : new String[] {"default", "defaultRequest"}) {
        if (!type.is("Pod")) {
          names(limit.get(field), type, keys);
        } else if (limit.get(field).size() > 0) {
          limit.get(field).forbidden("may not be specified when `type` is 'Pod'");
        }
      }
      if (type.is("PersistentVolumeClaim")
          && limit.get("min").key("storage").absent()
          && limit.get("max").key("storage").absent()) {
        limit
            .get("limits")
            .required(
                "either minimum or maximum storage value is required, but neither was provided");
      }
      names(limit.get("maxLimitRequestRatio"), type, keys);
      for (String key : keys) {
        amounts(limit, key, type.is("Pod"));
      }
    }

    private static void names(Value amounts, Value type, Set<String> keys) {
      for (Value amount : amounts) {
        if (type.is("Pod") || type.is("Container")) {
          ResourceRules.containerName(amount, amount.name());
        } else {
          ResourceRules.name(amount, amount.name());
        }
        keys.add(amount.name());
      }
    }

    /** What is said of one resource must fit together. */
    private static void amounts(Value limit, String key, boolean ofPods) {
      Value min = limit.get("min").key(key);
      Value max = limit.get("max").key(key);
      Value none = limit.get("").key(key);
      Value limits = ofPods ? none : limit.get("default").key(key);
      Value requests = ofPods ? none : limit.get("defaultRequest").key(key);
      Value ratio = limit.get("maxLimitRequestRatio").key(key);
      ordered(min, "min", max, "max", min, min);
      ordered(min, "min", requests, "default request", requests, requests);
      ordered(requests, "default request", max, "max", requests, requests);
      ordered(requests, "default request", limits, "default limit", requests, requests);
      ordered(min, "min", limits, "default", limits, min);
      ordered(limits, "default", max, "max", limits, max);
      ratio(ratio, min, max);
      if (!ResourceRules.overcommits(key)
          && limits.present()
          && requests.present()
          && !Amount.equal(limits, requests)) {
        requests.invalid(
            "default value "
                + Amount.shown(limits)
                + " must equal to defaultRequest value "
                + Amount.shown(requests)
                + " in "
                + key);
      }
    }

    private static void ordered(
        Value low, String lowName, Value high, String highName, Value shownAt, Value shown) {
      if (low.present() && high.present() && Amount.more(low, high)) {
        shownAt.invalid(
            Amount.shown(shown),
            "%s value %s is greater than %s value %s"
                .formatted(lowName, Amount.shown(low), highName, Amount.shown(high)));
      }
    }

    private static void ratio(Value ratio, Value min, Value max) {
      BigDecimal number = ratio.present() ? Amount.of(ratio) : null;
      if (number == null) {
        return;
      }
      String shown = Amount.shown(ratio);
      if (number.compareTo(BigDecimal.ONE) < 0) {
        ratio.invalid(shown, "ratio " + shown + " is less than 1");
      }
      BigDecimal low = min.present() ? Amount.of(min) : null;
      BigDecimal high = max.present() ? Amount.of(max) : null;
      if (low != null && high != null) {
        double most = high.doubleValue() / low.doubleValue();
        if (number.doubleValue() > most) {
          ratio.invalid(
              shown,
              String.format(Locale.ROOT, "ratio %s is greater than max/min = %f", shown, most));
        }
      }
    }
  }

  private record ResourceQuota() implements TypeRules {
    @Override
    public boolean asksForDeclared() {
      return true;
    }

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
        ResourceRules.quantity(amount);
      }
      Value scopes = spec.get("scopes");
      for (Value scope : scopes) {
        if (!SCOPES.contains(scope.text())) {
          scopes.invalid("unsupported scope");
        }
        fits(scope.text(), spec.get("hard"), scopes, scopes);
      }
      conflict(scopes, scopes, "BestEffort", "NotBestEffort");
      conflict(scopes, scopes, "Terminating", "NotTerminating");
      Value selector = spec.get("scopeSelector");
      Value expressions = selector.get("matchExpressions");
      List<Node> named = new ArrayList<>();
      for (Value each : expressions) {
        scopeName(expressions.get("scopeName").holding(each.get("scopeName").node()));
        fits(each.get("scopeName").text(), spec.get("hard"), selector, expressions);
        selector(each, expressions);
        named.add(Node.text(each.get("scopeName").text()));
      }
      // Kubernetes shows the other list of scopes
      Value ofSelector = expressions.holding(new Node.Items(named));
      conflict(ofSelector, scopes, "BestEffort", "NotBestEffort");
      conflict(ofSelector, scopes, "Terminating", "NotTerminating");
    }

    private static void scopeName(Value scope) {
      if (!SCOPES.contains(scope.text())) {
        Labels.orEmpty(scope).invalid("unsupported scope");
      }
    }

    private static void conflict(Value scopes, Value shown, String one, String other) {
      if (scopes.contains(one) && scopes.contains(other)) {
        shown.invalidAt(scopes, "conflicting scopes");
      }
    }

    /** Scopes are for what pods ask for; the best effort one only for their number. */
    private static void fits(String scope, Value hard, Value shown, Value shownAt) {
      if (!SCOPES.contains(scope)) {
        return;
      }
      for (Value amount : hard) {
        String name = amount.name();
        boolean fits =
            switch (scope) {
              case "VolumeAttributesClass" ->
                  name.equals("persistentvolumeclaims") || name.equals("requests.storage");
              case "BestEffort" -> name.equals("pods");
              default -> name.equals("pods") || COMPUTE.contains(name);
            };
        if (ResourceRules.isOfQuotas(name) && !fits) {
          shown.invalidAt(shownAt, "unsupported scope applied to resource");
        }
      }
    }

    /** Kubernetes names the list of expressions, not the one. */
    private static void selector(Value each, Value list) {
      Value scope = each.get("scopeName");
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
          ResourceRules.quotaName(amount, amount.name());
          ResourceRules.quantity(amount);
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
