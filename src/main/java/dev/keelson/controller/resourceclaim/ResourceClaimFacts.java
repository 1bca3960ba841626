package dev.keelson.controller.resourceclaim;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.workload.Owner;
import dev.keelson.object.ApiObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the controller keeps of a ResourceClaim.
 *
 * @param pod the pod for which it was made; null if it was not made for one
 * @param entry the name in that pod's {@code spec.resourceClaims}; empty if unknown
 * @param version the resourceVersion
 */
record ResourceClaimFacts(ObjectName name, @Nullable Owner pod, String entry, String version) {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("resource.k8s.io", "v1").resource("resourceclaims");

  static final String ENTRY = "resource.kubernetes.io/pod-claim-name";

  /** Finds claims by the uid of their pod. */
  static final Index<ResourceClaimFacts> BY_POD =
      new Index<>(claim -> claim.pod() == null ? List.of() : List.of(claim.pod().uid()));

  static final InformerType<ResourceClaimFacts> TYPE =
      new InformerType<>(RESOURCE, ResourceClaimFacts::of, List.of(BY_POD));

  static ResourceClaimFacts of(ApiObject claim) {
    return new ResourceClaimFacts(
        ObjectName.of(claim.meta()),
        pod(claim),
        claim.meta().annotations().getOrDefault(ENTRY, ""),
        claim.meta().resourceVersion());
  }

  /** The pod that controls a claim; null if none does. */
  static @Nullable Owner pod(ApiObject claim) {
    Owner owner = Owner.of(claim.meta());
    return owner != null && owner.apiVersion().equals("v1") && owner.kind().equals("Pod")
        ? owner
        : null;
  }
}
