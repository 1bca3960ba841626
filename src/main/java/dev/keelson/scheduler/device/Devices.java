package dev.keelson.scheduler.device;

import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.NameListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.object.Node.MapNode;
import dev.keelson.scheduler.device.Claim.Allocation;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The devices of the cluster and the claims that have them. */
public final class Devices {

  private final Informer<Claim> claims;
  private final Informer<DeviceClass> classes;
  private final Informer<Slice> slices;
  private final LongSupplier nanos;
  private final ClaimWrites writes;
  private final Selectors selectors = new Selectors();

  /** What was written and the informer may not know yet, by the uid of the claim. */
  private final Map<String, Claim> written = new ConcurrentHashMap<>();

  /** The allocations that are being written, by the uid of the claim. */
  private final Map<String, Allocation> pending = new ConcurrentHashMap<>();

  /** Made for the first pod with claims after a change; null before. */
  private volatile @Nullable PoolIndex pools;

  /**
   * Follows claims, classes and slices.
   *
   * @param client writes the status of claims
   * @param nanos a monotonic clock, in nanoseconds
   */
  public Devices(SharedInformers informers, ApiClient client, LongSupplier nanos) {
    this.nanos = nanos;
    claims = informers.of(Claim.TYPE);
    classes = informers.of(DeviceClass.TYPE);
    slices = informers.of(Slice.TYPE);
    writes = new ClaimWrites(client);
  }

  /** Calls back after each change. */
  public void listen(Runnable changed) {
    slices.listen(
        NameListener.ofAny(
            name -> {
              pools = null;
              changed.run();
            }));
    classes.listen(NameListener.ofAny(name -> changed.run()));
    claims.listen(
        NameListener.ofAny(
            name -> {
              forgetWritten(name);
              changed.run();
            }));
  }

  private void forgetWritten(ObjectName name) {
    Optional<Claim> known = claims.get(name);
    written
        .values()
        .removeIf(
            claim ->
                claim.name().equals(name)
                    && known.map(each -> each.version() >= claim.version()).orElse(true));
  }

  /** Waits until all of them are known. */
  public void awaitSync() throws InterruptedException {
    claims.awaitSync();
    classes.awaitSync();
    slices.awaitSync();
  }

  /** What the claims of a pod demand of its node. */
  public DeviceNeeds needs(ObjectName pod, String podUid, List<PodClaim> uses) {
    if (uses.isEmpty()) {
      return DeviceNeeds.NONE;
    }
    List<Claim> found = new ArrayList<>();
    for (PodClaim use : uses) {
      if (use.claim().isEmpty()) {
        return DeviceNeeds.waiting("pod \"" + pod + "\": ResourceClaim not created yet");
      }
      Claim claim = claim(new ObjectName(pod.namespace(), use.claim()));
      if (claim == null) {
        return DeviceNeeds.waiting("resourceclaim \"" + use.claim() + "\" not found");
      }
      if (claim.deleting()) {
        return DeviceNeeds.waiting("resourceclaim \"" + use.claim() + "\" is being deleted");
      }
      if (use.made() && !claim.podUid().equals(podUid)) {
        return DeviceNeeds.waiting(
            "ResourceClaim %s was not created for pod %s (pod is not owner)"
                .formatted(claim.name(), pod));
      }
      found.add(claim);
    }
    String refusal = refusal(found, podUid);
    return refusal.isEmpty()
        ? new DeviceNeeds(found, cluster(), selectors)
        : DeviceNeeds.refused(refusal);
  }

  private @Nullable Claim claim(ObjectName name) {
    Claim known = claims.get(name).orElse(null);
    if (known == null) {
      return null;
    }
    Claim newer = written.get(known.uid());
    return newer != null && newer.version() > known.version() ? newer : known;
  }

  private String refusal(List<Claim> found, String podUid) {
    for (Claim claim : found) {
      if (claim.allocation() != null) {
        if (!claim.isFor(podUid)) {
          return "resourceclaim in use";
        }
        continue;
      }
      if (pending.containsKey(claim.uid())) {
        return "resourceclaim " + claim.name() + " is in the process of being allocated";
      }
      for (Request request : claim.requests()) {
        for (Request.Choice choice : request.choices()) {
          if (classes.get(new ObjectName("", choice.deviceClass())).isEmpty()) {
            return "request %s: device class %s does not exist"
                .formatted(choice.name(), choice.deviceClass());
          }
        }
      }
    }
    return "";
  }

  private DeviceNeeds.Cluster cluster() {
    Map<String, DeviceClass> known = new HashMap<>();
    classes.list().forEach(each -> known.put(each.name(), each));
    PoolIndex index = pools;
    if (index == null) {
      // a change while it is made sets it to null before or after; the next pod makes another
      index = new PoolIndex(slices.list());
      pools = index;
    }
    Set<DeviceId> allocated = new HashSet<>();
    Map<DeviceId, Map<String, Quantity>> consumed = new HashMap<>();
    for (Allocation allocation : allocations().values()) {
      allocated.addAll(allocation.devices());
      allocation
          .consumed()
          .forEach((device, amounts) -> consumed.merge(device, amounts, SharedCapacity::sum));
    }
    return new DeviceNeeds.Cluster(known, index, allocated, consumed, nanos);
  }

  /** The allocation of each claim, by its uid. */
  private Map<String, Allocation> allocations() {
    Map<String, Allocation> all = new HashMap<>();
    for (Claim claim : claims.list()) {
      put(all, claim);
    }
    written.values().forEach(claim -> put(all, claim));
    all.putAll(pending);
    return all;
  }

  private static void put(Map<String, Allocation> all, Claim claim) {
    Allocation allocation = claim.allocation();
    if (allocation != null) {
      all.put(claim.uid(), allocation);
    }
  }

  /**
   * Keeps the devices of a pod on a node from others until {@link #write} or {@link #unreserve}.
   */
  public void assume(DeviceNeeds needs, String node) {
    needs
        .allocations(node)
        .forEach((uid, allocation) -> pending.put(uid, Allocation.of(allocation)));
  }

  /**
   * Writes the allocations and reservations for a pod that is to be bound to a node.
   *
   * @throws dev.keelson.api.ApiException if a claim was changed by somebody else
   */
  public void write(ObjectName pod, String podUid, DeviceNeeds needs, String node)
      throws InterruptedException {
    Map<String, MapNode> allocations = needs.allocations(node);
    for (Claim claim : needs.claims()) {
      MapNode allocation = allocations.get(claim.uid());
      Claim stored = writes.reserve(claim, pod, podUid, Optional.ofNullable(allocation));
      Claim unused = written.put(claim.uid(), stored);
      Allocation unused2 = pending.remove(claim.uid());
      forgetWritten(claim.name());
    }
  }

  /** The pod was not bound: its reservations end. */
  public void unreserve(ObjectName pod, String podUid, DeviceNeeds needs, String node)
      throws InterruptedException {
    needs.allocations(node).keySet().forEach(pending::remove);
    for (Claim claim : needs.claims()) {
      Claim last = written.remove(claim.uid());
      Claim now = last == null ? claim(claim.name()) : last;
      if (now != null && now.consumers().contains(podUid)) {
        writes.unreserve(claim, podUid);
      }
    }
  }

  /**
   * Frees one claim whose devices are on other nodes; returns whether there was one.
   *
   * @throws dev.keelson.api.ApiException if it cannot be written
   */
  public boolean free(String podUid, DeviceNeeds needs) throws InterruptedException {
    List<Claim> freeable = needs.freeable(podUid);
    if (freeable.isEmpty()) {
      return false;
    }
    writes.deallocate(freeable.getFirst());
    return true;
  }
}
