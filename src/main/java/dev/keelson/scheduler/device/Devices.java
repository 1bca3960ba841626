package dev.keelson.scheduler.device;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.NameListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.object.Node.MapNode;
import dev.keelson.scheduler.device.Claim.Allocation;
import dev.keelson.scheduler.device.Claim.Preparation;
import dev.keelson.scheduler.device.DeviceNeeds.Extended;
import dev.keelson.value.Quantity;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The devices of the cluster and the claims that have them. */
public final class Devices {

  /** Kube-scheduler's default of {@code bindingTimeout}. */
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  /** Between two looks at claims that do not change. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Informer<Claim> claims;
  private final Informer<DeviceClass> classes;
  private final Informer<Slice> slices;
  private final LongSupplier nanos;
  private final InstantSource clock;
  private final ClaimWrites writes;
  private final Selectors selectors = new Selectors();

  /** What was written and the informer may not know yet, by the uid of the claim. */
  private final Map<String, Claim> written = new ConcurrentHashMap<>();

  /** The allocations that are being written, by the uid of the claim. */
  private final Map<String, Allocation> pending = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();

  /** Whether a claim has changed. */
  private final Condition changed = lock.newCondition();

  /** Made for the first pod with claims after a change; null before. */
  private volatile @Nullable PoolIndex pools;

  /**
   * Follows claims, classes and slices.
   *
   * @param client writes the status of claims
   * @param nanos a monotonic clock, in nanoseconds
   */
  public Devices(
      SharedInformers informers, ApiClient client, LongSupplier nanos, InstantSource clock) {
    this.nanos = nanos;
    this.clock = clock;
    claims = informers.of(Claim.TYPE);
    classes = informers.of(DeviceClass.TYPE);
    slices = informers.of(Slice.TYPE);
    writes = new ClaimWrites(client, clock);
  }

  /** Calls back after each change. */
  public void listen(Runnable retry) {
    slices.listen(
        NameListener.ofAny(
            name -> {
              pools = null;
              retry.run();
            }));
    classes.listen(NameListener.ofAny(name -> retry.run()));
    claims.listen(
        NameListener.ofAny(
            name -> {
              forgetWritten(name);
              signal();
              retry.run();
            }));
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
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

  /**
   * What the claims of a pod, and its extended resources that are devices, demand of its node.
   *
   * @param uses its claims
   */
  public DeviceNeeds needs(
      ObjectName pod, String podUid, List<PodClaim> uses, ExtendedRequests requests) {
    Extended extended =
        requests.isEmpty() ? Extended.NONE : extended(pod.namespace(), podUid, requests);
    if (uses.isEmpty() && extended.classes().isEmpty()) {
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
        ? new DeviceNeeds(found, lost(found), extended, cluster(), selectors)
        : DeviceNeeds.refused(refusal);
  }

  private Extended extended(String namespace, String podUid, ExtendedRequests requests) {
    List<DeviceClass> known = classes.list();
    Map<String, String> byResource = new HashMap<>();
    for (String resource : requests.names()) {
      DeviceClass.of(resource, known).ifPresent(each -> byResource.put(resource, each.name()));
    }
    if (byResource.isEmpty()) {
      return Extended.NONE;
    }
    Claim stale =
        claims.list().stream()
            .filter(each -> each.extended() && each.podUid().equals(podUid))
            .findFirst()
            .orElse(null);
    return new Extended(namespace, requests, byResource, stale);
  }

  /** The claims whose devices will not be ready any more. */
  private Set<Claim> lost(List<Claim> found) {
    Set<Claim> lost = new HashSet<>();
    for (Claim claim : found) {
      Allocation allocation = claim.allocation();
      if (allocation != null && allocation.preparation().isLost(clock.instant(), LONGEST_WAIT)) {
        lost.add(claim);
      }
    }
    return lost;
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
        .forEach(
            (uid, allocation) ->
                pending.put(uid, Allocation.of(MapNode.of("allocation", allocation), "")));
  }

  /**
   * Writes the allocations and reservations for a pod that is to be bound to a node.
   *
   * @throws ApiException if a claim was changed by somebody else
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
    Claim extended = needs.ofExtended(node);
    if (extended != null) {
      Claim created = writes.create(extended, pod, podUid);
      needs.created(created);
      MapNode allocation = allocations.get(extended.uid());
      Claim stored = writes.reserve(created, pod, podUid, Optional.ofNullable(allocation));
      needs.created(stored);
      Claim unused = written.put(stored.uid(), stored);
      Allocation unused2 = pending.remove(extended.uid());
      writes.tell(pod, podUid, stored, needs.mappings(node));
    }
  }

  /** Whether drivers have to prepare devices before the pod that got them is bound. */
  public boolean arePrepared(DeviceNeeds needs) {
    return needs.stored().stream()
        .map(this::latest)
        .allMatch(
            claim -> claim.allocation() == null || !claim.allocation().preparation().needed());
  }

  private Claim latest(Claim claim) {
    Claim known = claim(claim.name());
    Claim newer = written.get(claim.uid());
    return newer != null ? newer : known == null ? claim : known;
  }

  /**
   * Waits until drivers have prepared all devices of a pod.
   *
   * @throws ApiException if that fails or takes too long
   */
  public void awaitPreparation(DeviceNeeds needs) throws InterruptedException {
    long end = nanos.getAsLong() + LONGEST_WAIT.toNanos();
    lock.lockInterruptibly();
    try {
      while (!areReady(needs)) {
        if (nanos.getAsLong() - end >= 0) {
          throw new ApiException(Reason.TIMEOUT, "device binding timeout");
        }
        long unused = changed.awaitNanos(LONGEST_PAUSE.toNanos());
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean areReady(DeviceNeeds needs) {
    boolean ready = true;
    for (Claim claim : needs.stored()) {
      Claim now = claim(claim.name());
      if (now == null || !now.uid().equals(claim.uid())) {
        // one that was just made may not be known yet
        now = written.get(claim.uid());
      }
      if (now == null) {
        throw new ApiException(
            Reason.NOT_FOUND, "resourceclaim \"" + claim.name().name() + "\" not found");
      }
      Allocation allocation = now.allocation();
      Preparation preparation = allocation == null ? null : allocation.preparation();
      if (preparation != null && !preparation.failure().isEmpty()) {
        throw new ApiException(Reason.CONFLICT, preparation.failure());
      }
      if (preparation != null && preparation.isLost(clock.instant(), LONGEST_WAIT)) {
        throw new ApiException(Reason.TIMEOUT, "claim " + claim.name().name() + " binding timeout");
      }
      ready &= preparation != null && preparation.done();
    }
    return ready;
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
    Claim created = needs.created();
    if (created != null) {
      Claim unused = written.remove(created.uid());
      writes.delete(created);
    }
  }

  /**
   * Frees one claim whose devices are on other nodes or will not be ready, or deletes one that an
   * earlier attempt has left; returns what was done.
   *
   * @throws ApiException if it cannot be written
   */
  public String free(String podUid, DeviceNeeds needs) throws InterruptedException {
    if (needs.isEmpty()) {
      return "no new claims to deallocate";
    }
    List<Claim> freeable = needs.freeable(podUid);
    if (!freeable.isEmpty()) {
      writes.deallocate(freeable.getFirst());
      return "deallocation of ResourceClaim completed";
    }
    Claim stale = needs.stale();
    if (stale != null) {
      writes.delete(stale);
      return "deletion of ResourceClaim completed";
    }
    return "still not schedulable";
  }
}
