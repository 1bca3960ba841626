package dev.keelson.registry.service;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.IpAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Determines the IP families of a Service (KEP-563). */
final class ServiceFamilies {

  private final ServiceRanges ranges;

  ServiceFamilies(ServiceRanges ranges) {
    this.ranges = ranges;
  }

  /**
   * The spec with its families and their policy.
   *
   * @param old the spec as it is stored, or null for a new Service
   * @param causes receives a cause for each family or policy that the cluster does not support
   */
  MapNode complete(MapNode spec, @Nullable MapNode old, List<FieldCause> causes) {
    if (!ServiceShape.hasAddress(spec) || !ServiceShape.coherent(spec)) {
      return spec;
    }
    List<String> addresses = ServiceShape.texts(spec, "clusterIPs");
    List<String> families = families(ServiceShape.texts(spec, "ipFamilies"), addresses);
    String policy = spec.text("ipFamilyPolicy");
    boolean free = ServiceShape.headless(spec) && spec.map("selector").isEmpty();
    if (policy.isEmpty()) {
      boolean both = families.size() > 1 || addresses.size() > 1 || (free && families.isEmpty());
      policy = both ? "RequireDualStack" : "SingleStack";
    }
    if (old == null && oneForTwo(spec, causes)) {
      return spec;
    }
    check(policy, families, free, causes);
    if (families.isEmpty()) {
      families.add(ranges.blocks().getFirst().family());
    }
    boolean single = policy.equals("SingleStack");
    if (!single && families.size() == 1 && (ranges.dualStack() || free)) {
      families.add(families.getFirst().equals("IPv4") ? "IPv6" : "IPv4");
    }
    MapNode next = spec;
    if (single && families.size() == 2 && spec.text("ipFamilyPolicy").equals("SingleStack")) {
      families = families.subList(0, 1);
      next =
          addresses.isEmpty() ? next : next.with("clusterIPs", Node.texts(addresses.subList(0, 1)));
    }
    return next.with("ipFamilies", Node.texts(families)).with("ipFamilyPolicy", Node.text(policy));
  }

  /** Rejects a new single-stack Service with two addresses or families. */
  private static boolean oneForTwo(MapNode spec, List<FieldCause> causes) {
    if (!spec.text("ipFamilyPolicy").equals("SingleStack")) {
      return false;
    }
    int before = causes.size();
    if (spec.items("clusterIPs").size() == 2) {
      causes.add(
          FieldCause.invalid(
              "spec.ipFamilyPolicy",
              "SingleStack",
              "must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are"
                  + " specified"));
    }
    if (spec.items("ipFamilies").size() == 2) {
      causes.add(
          FieldCause.invalid(
              "spec.ipFamilyPolicy",
              "SingleStack",
              "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are"
                  + " specified"));
    }
    return causes.size() > before;
  }

  private static List<String> families(List<String> named, List<String> addresses) {
    List<String> families = new ArrayList<>(named);
    for (int i = families.size(); i < addresses.size(); i++) {
      IpAddress.tryParse(addresses.get(i))
          .ifPresent(address -> families.add(address.family().toString()));
    }
    return families;
  }

  private void check(String policy, List<String> families, boolean free, List<FieldCause> causes) {
    if (free) {
      return;
    }
    if (policy.equals("RequireDualStack") && !ranges.dualStack()) {
      causes.add(
          FieldCause.invalid(
              "spec.ipFamilyPolicy",
              policy,
              "this cluster is not configured for dual-stack services"));
    }
    for (int i = 0; i < families.size(); i++) {
      String family = families.get(i);
      if (ranges.blocks().stream().noneMatch(block -> block.family().equals(family))) {
        causes.add(
            FieldCause.invalid(
                "spec.ipFamilies[" + i + "]", family, "not configured on this cluster"));
      }
    }
  }
}
