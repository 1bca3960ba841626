package dev.keelson.controller.garbage;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.ObjectAddress;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectMeta;
import dev.keelson.object.OwnerReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks up owners and caches absent ones, since uids are never reused. Safe for use by several
 * threads.
 */
final class OwnerLookup {

  private static final int MOST_ABSENT = 2_000;

  private final ResourceClient client;
  private final OwnerAddresses addresses;

  /** An absent owner: its uid and address. */
  private record Absent(String uid, ObjectAddress address) {}

  private final Set<Absent> absent = BoundedSets.ofNewest(MOST_ABSENT);

  OwnerLookup(ResourceClient client, OwnerAddresses addresses) {
    this.client = client;
    this.addresses = addresses;
  }

  /** Looks up the owners of an object in {@code namespace}. */
  Owners look(List<OwnerReference> references, String namespace) {
    Owners owners =
        new Owners(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (OwnerReference reference : references) {
      list(owners, reference, namespace).add(reference);
    }
    return owners;
  }

  private List<OwnerReference> list(Owners owners, OwnerReference reference, String namespace) {
    @Nullable ObjectAddress address = addresses.of(reference, namespace).orElse(null);
    @Nullable GroupVersionResource resource =
        address == null ? null : addresses.served(address).orElse(null);
    if (address == null
        || resource == null
        || (namespace.isEmpty() && addresses.namespaced(reference))) {
      return owners.unknown();
    }
    Absent question = new Absent(reference.uid(), address);
    if (absent.contains(question)) {
      return owners.dangling();
    }
    Optional<ObjectMeta> owner;
    try {
      owner =
          client
              .get(resource, address.namespace(), address.name())
              .map(ApiObject::meta)
              .filter(meta -> meta.uid().equals(reference.uid()));
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        // the type went meanwhile; that is no proof that the owner is absent
        return owners.unknown();
      }
      throw e;
    }
    if (owner.isEmpty()) {
      absent.add(question);
      return owners.dangling();
    }
    return owner.get().deleting() && owner.get().finalizers().contains(Finalizers.FOREGROUND)
        ? owners.waiting()
        : owners.solid();
  }
}
