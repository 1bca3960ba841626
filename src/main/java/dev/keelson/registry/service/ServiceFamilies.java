package dev.keelson.registry.service;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Determines the IP families of a Service (source: KEP-563 and initIPFamilyFields). */
final class ServiceFamilies {

  private static final String POLICY = "spec.ipFamilyPolicy";
  private static final String SINGLE = "SingleStack";
  private static final String PREFER = "PreferDualStack";
  private static final String REQUIRE = "RequireDualStack";

  private final List<String> configured;

  /**
   * @param ranges whose families the cluster has, the preferred one first
   */
  ServiceFamilies(ServiceRanges ranges) {
    configured = ranges.blocks().stream().map(AddressBlock::family).distinct().toList();
  }

  /**
   * The spec with its families and their policy.
   *
   * @param old the spec as it is stored, or null for a new Service
   * @param causes receives a cause for each family or policy that the cluster does not support; the
   *     spec is not usable then
   */
  MapNode complete(MapNode spec, @Nullable MapNode old, List<FieldCause> causes) {
    if (!ServiceShape.hasAddress(spec) || staysPreferred(spec, old)) {
      return spec;
    }
    String policy = policy(spec, old);
    MapNode known = spec.with("ipFamilyPolicy", Node.text(policy));
    if (!ServiceShape.coherent(known)) {
      return known;
    }
    known = reduced(known, old, policy, causes);
    checkNumbers(known, policy, causes);
    List<String> families = new ArrayList<>(ServiceShape.texts(known, "ipFamilies"));
    infer(known, families, causes);
    if (!causes.isEmpty()) {
      return known;
    }
    boolean free = ServiceShape.headless(known) && known.map("selector").isEmpty();
    if (!free) {
      check(policy, families, causes);
    }
    if (families.isEmpty()) {
      families.add(configured.getFirst());
    }
    if (!policy.equals(SINGLE) && families.size() == 1 && (free || configured.size() > 1)) {
      families.add(families.getFirst().equals("IPv4") ? "IPv6" : "IPv4");
    }
    return known.with("ipFamilies", Node.texts(families));
  }

  /**
   * Whether an update leaves a Service that prefers two families as it is: it is not changed when
   * the cluster gets or loses a family.
   */
  static boolean staysPreferred(MapNode spec, @Nullable MapNode old) {
    return old != null
        && spec.text("type").equals(old.text("type"))
        && ServiceShape.hasAddress(spec)
        && spec.text("ipFamilyPolicy").equals(PREFER)
        && (old.text("ipFamilyPolicy").isEmpty() || old.text("ipFamilyPolicy").equals(PREFER))
        && same(spec, old, "clusterIPs")
        && same(spec, old, "ipFamilies");
  }

  private static String policy(MapNode spec, @Nullable MapNode old) {
    String policy = spec.text("ipFamilyPolicy");
    if (policy.isEmpty() && old != null) {
      policy = old.text("ipFamilyPolicy");
    }
    if (!policy.isEmpty()) {
      return policy;
    }
    return ServiceShape.headless(spec) && spec.map("selector").isEmpty() ? REQUIRE : SINGLE;
  }

  /** An update to one family drops the second address and family that it leaves as they are. */
  private static MapNode reduced(
      MapNode spec, @Nullable MapNode old, String policy, List<FieldCause> causes) {
    if (old == null) {
      return spec;
    }
    MapNode next = spec;
    for (String field : List.of("clusterIPs", "ipFamilies")) {
      List<String> now = ServiceShape.texts(spec, field);
      int before = old.items(field).size();
      if (policy.equals(SINGLE)) {
        if (same(spec, old, field) && now.size() > 1) {
          next = next.with(field, Node.texts(now.subList(0, 1)));
        }
      } else if (!now.isEmpty() && now.size() < before) {
        causes.add(
            FieldCause.invalid(
                POLICY,
                policy,
                "must be 'SingleStack' to release the secondary "
                    + (field.equals("clusterIPs") ? "cluster IP" : "IP family")));
      }
    }
    return next;
  }

  private static boolean same(MapNode spec, MapNode old, String field) {
    return spec.items(field).equals(old.items(field));
  }

  private static void checkNumbers(MapNode spec, String policy, List<FieldCause> causes) {
    if (!policy.equals(SINGLE)) {
      return;
    }
    String need = "must be 'RequireDualStack' or 'PreferDualStack' when multiple ";
    if (spec.items("clusterIPs").size() == 2) {
      causes.add(FieldCause.invalid(POLICY, policy, need + "cluster IPs are specified"));
    }
    if (spec.items("ipFamilies").size() == 2) {
      causes.add(FieldCause.invalid(POLICY, policy, need + "IP families are specified"));
    }
  }

  /** Adds the families of addresses that have none yet. */
  private void infer(MapNode spec, List<String> families, List<FieldCause> causes) {
    List<String> addresses = ServiceShape.texts(spec, "clusterIPs");
    if (ServiceShape.headless(spec)) {
      return;
    }
    for (int i = families.size(); i < addresses.size(); i++) {
      String family = ServiceShape.family(addresses.get(i));
      if (configured.contains(family)) {
        families.add(family);
      } else {
        causes.add(
            ServiceShape.invalidAddresses(
                "spec.clusterIPs[" + i + "]",
                addresses,
                family + " is not configured on this cluster"));
      }
    }
  }

  private void check(String policy, List<String> families, List<FieldCause> causes) {
    if (policy.equals(REQUIRE) && configured.size() < 2) {
      causes.add(
          FieldCause.invalid(
              POLICY, policy, "this cluster is not configured for dual-stack services"));
    }
    for (int i = 0; i < families.size(); i++) {
      if (!configured.contains(families.get(i))) {
        causes.add(
            FieldCause.invalid(
                "spec.ipFamilies[" + i + "]", families.get(i), "not configured on this cluster"));
      }
    }
  }
}
