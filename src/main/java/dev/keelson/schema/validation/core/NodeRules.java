package dev.keelson.schema.validation.core;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.AddressWarnings;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import dev.keelson.schema.validation.core.pod.ResourceRules;
import dev.keelson.value.Cidr;
import dev.keelson.value.GoQuote;
import dev.keelson.value.IpAddress.Family;
import dev.keelson.value.Utf8Order;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Nodes (source: ValidateNode, ValidateNodeUpdate). An update is validated by both, which share
 * rules, so that some causes come twice.
 */
final class NodeRules implements KindRules {

  private static final int LONGEST_FEATURE = 253;
  private static final Pattern FEATURE =
      Pattern.compile("[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*");
  private static final String ONCE = "node updates may not change %s except from \"\" to valid";

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validate(Value object) {
    Value status = object.get("status");
    taints(object);
    resources(status);
    Value swap = status.get("nodeInfo", "swap", "capacity");
    if (swap.isNumber() && swap.number() <= 0) {
      swap.invalidAt(
          object.get("metadata", "nodeSwapStatus", "capacity"), "must be greater than zero");
    }
    declaredFeatures(status.get("declaredFeatures"));
    podCidrs(object.get("spec", "podCIDRs"));
  }

  private static void podCidrs(Value cidrs) {
    Set<Family> families = EnumSet.noneOf(Family.class);
    int broken = -1;
    for (Value cidr : cidrs) {
      cidr.cidr();
    }
    for (int i = 0; i < cidrs.size() && broken < 0; i++) {
      Optional<Cidr> read = Cidr.tryParse(cidrs.at(i).text());
      read.ifPresent(cidr -> families.add(cidr.address().family()));
      broken = read.isPresent() ? -1 : i;
    }
    if (cidrs.size() < 2) {
      return;
    }
    if (broken >= 0) {
      cidrs.internalError(
          "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR["
              + broken
              + "]: <nil> (invalid CIDR address: "
              + cidrs.at(broken).text()
              + ")");
    }
    if (broken >= 0 || families.size() < 2 || cidrs.size() > 2) {
      cidrs.invalid("may specify no more than one CIDR for each IP family");
    }
  }

  private static void resources(Value status) {
    for (String field : new String[] {"capacity", "allocatable"}) {
      for (Value amount : status.get(field)) {
        ResourceRules.validateResourceQuantityValue(status.get(field).get(amount.name()));
      }
    }
  }

  private static void declaredFeatures(Value features) {
    for (int i = 0; i < features.size(); i++) {
      if (i > 0) {
        order(features.at(i - 1).text(), features.at(i));
      }
      feature(features.at(i));
    }
  }

  private static void order(String before, Value feature) {
    int order = Utf8Order.compare(before, feature.text());
    if (order == 0) {
      feature.duplicate();
    } else if (order > 0) {
      feature.invalid("list must be sorted alphabetically");
    }
  }

  private static void feature(Value feature) {
    String name = feature.text();
    String problem = "";
    if (name.length() > LONGEST_FEATURE) {
      problem = "must be no more than " + LONGEST_FEATURE + " characters";
    } else if (!FEATURE.matcher(name).matches()) {
      problem =
          "must start with an UpperCamelCase segment, with subsequent segments separated by '/'"
              + " (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric"
              + " characters and slashes";
    }
    if (!problem.isEmpty()) {
      feature.invalid("invalid feature name " + GoQuote.quote(name) + ": " + problem);
    }
  }

  private static void taints(Value object) {
    Value taints = object.get("spec", "taints");
    // Kubernetes says metadata where spec is meant
    Value places = object.get("metadata", "taints").holding(taints.node());
    ValueSet seen = new ValueSet();
    for (int i = 0; i < taints.size(); i++) {
      taint(taints.at(i), places.at(i), seen);
    }
  }

  private static void taint(Value taint, Value place, ValueSet seen) {
    Labels.validateLabelName(place.get("key"));
    String problem = Names.labelValue(taint.get("value").text());
    if (!problem.isEmpty()) {
      place.get("value").invalid(problem.replace('\n', ';'));
    }
    Value effect = place.get("effect").needed();
    if (effect.filled()) {
      effect.oneOf("NoExecute", "NoSchedule", "PreferNoSchedule");
    }
    if (!seen.addTuple(taint.get("key").node(), effect.node())) {
      taint.duplicateAt(place, "taints must be unique by key and effect pair");
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value spec = object.get("spec");
    Value was = old.get("spec");
    status(object.get("status"));
    cidrsStay(spec.get("podCIDRs"), was.get("podCIDRs"));
    if (was.get("providerID").filled() && !spec.get("providerID").sameAs(was.get("providerID"))) {
      spec.get("providerID").forbidden(ONCE.formatted("providerID"));
    }
    if (spec.get("configSource").present()) {
      configSource(spec.get("configSource"), /* inStatus= */ false);
    }
    for (String config : new String[] {"assigned", "active", "lastKnownGood"}) {
      Value source = object.get("status", "config", config);
      if (source.present()) {
        configSource(source, /* inStatus= */ true);
      }
    }
    taints(object);
    if (!spec.get("externalID").text().equals(was.get("externalID").text())) {
      spec.get("externalID").forbidden("may not be updated");
    }
  }

  private static void cidrsStay(Value cidrs, Value old) {
    int changed = 0;
    if (cidrs.size() == old.size()) {
      for (int i = 0; i < old.size(); i++) {
        changed += cidrs.at(i).sameAs(old.at(i)) ? 0 : 1;
      }
    } else if (old.size() > 0) {
      changed = 1;
    }
    for (int i = 0; i < changed; i++) {
      cidrs.forbidden(ONCE.formatted("podCIDR"));
    }
  }

  private static void configSource(Value source, boolean inStatus) {
    Value map = source.get("configMap");
    if (map.absent()) {
      source.invalid("exactly one reference subfield must be non-nil");
      return;
    }
    for (String field : new String[] {"uid", "resourceVersion"}) {
      if (inStatus) {
        map.get(field).needed();
      } else if (map.get(field).filled()) {
        map.get(field).forbidden(field + " must not be set in spec");
      }
    }
    map.get("namespace").needed().dnsLabel();
    map.get("name").needed().dnsSubdomain();
    map.get("kubeletConfigKey").needed().as(Formats.CONFIG_KEY);
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    validateUpdate(object, old);
  }

  private static void status(Value status) {
    resources(status);
    declaredFeatures(status.get("declaredFeatures"));
    status.get("addresses").unique();
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    Value spec = object.get("spec");
    if (spec.get("configSource").present()) {
      warnings.accept("spec.configSource: the feature is removed");
    }
    if (spec.get("externalID").filled()) {
      warnings.accept("spec.externalID: this field is deprecated, and is unused by Kubernetes");
    }
    for (Value cidr : spec.get("podCIDRs")) {
      AddressWarnings.warnAboutCidr(cidr, warnings);
    }
  }
}
