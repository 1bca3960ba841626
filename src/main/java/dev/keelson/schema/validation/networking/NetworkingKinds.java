package dev.keelson.schema.validation.networking;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of networking.k8s.io. */
public final class NetworkingKinds {
  private NetworkingKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("networking.k8s.io", "Ingress"), new IngressRules()),
        Map.entry(new GroupKind("networking.k8s.io", "IngressClass"), new IngressClassRules()),
        Map.entry(new GroupKind("networking.k8s.io", "NetworkPolicy"), new NetworkPolicyRules()),
        Map.entry(new GroupKind("networking.k8s.io", "IPAddress"), new IpAddressRules()),
        Map.entry(new GroupKind("networking.k8s.io", "ServiceCIDR"), new ServiceCidrRules()));
  }
}
