package dev.keelson.scheduler.device;

import dev.keelson.object.Node.MapNode;
import dev.keelson.scheduler.device.Allocator.Pick;
import dev.keelson.scheduler.device.Claim.Allocation;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What the claims of one pod demand of its node (source: kube-scheduler's plug-in
 * DynamicResources). What is found for a node is remembered. Confined to the scheduler's loop.
 */
public final class DeviceNeeds {

  /** Those of a pod without claims. */
  public static final DeviceNeeds NONE =
      new DeviceNeeds(
          List.of(), new Cluster(Map.of(), new PoolIndex(List.of()), Set.of(), Map.of(), () -> 0));

  /** The most alternatives of a request. */
  private static final int MOST_ALTERNATIVES = 8;

  /** Kube-scheduler's default of {@code filterTimeout}. */
  private static final long LONGEST_SEARCH = TimeUnit.SECONDS.toNanos(10);

  private final String refusal;
  private final boolean waits;
  private final List<Claim> claims;
  private final List<Claim> toAllocate;
  private final Cluster cluster;
  private final Selectors selectors;
  private final Map<String, List<List<Pick>>> found = new HashMap<>();
  private final Set<Claim> misplaced = new HashSet<>();
  private String failure = "";

  /**
   * The devices of the cluster.
   *
   * @param allocated those that other claims have
   * @param consumed what others have taken of the capacity of shared ones
   * @param nanos a monotonic clock, in nanoseconds
   */
  record Cluster(
      Map<String, DeviceClass> classes,
      PoolIndex pools,
      Set<DeviceId> allocated,
      Map<DeviceId, Map<String, Quantity>> consumed,
      LongSupplier nanos) {}

  private DeviceNeeds(List<Claim> claims, Cluster cluster) {
    this(claims, cluster, new Selectors());
  }

  DeviceNeeds(List<Claim> claims, Cluster cluster, Selectors selectors) {
    this.refusal = "";
    this.waits = false;
    this.claims = List.copyOf(claims);
    this.toAllocate = claims.stream().filter(claim -> claim.allocation() == null).toList();
    this.cluster = cluster;
    this.selectors = selectors;
  }

  private DeviceNeeds(String refusal, boolean waits) {
    this.refusal = refusal;
    this.waits = waits;
    this.claims = List.of();
    this.toAllocate = List.of();
    this.cluster = NONE.cluster;
    this.selectors = NONE.selectors;
  }

  /** Needs that no node can meet. */
  static DeviceNeeds refused(String why) {
    return new DeviceNeeds(why, false);
  }

  /** Needs of a pod that is not to be placed yet. */
  static DeviceNeeds waiting(String why) {
    return new DeviceNeeds(why, true);
  }

  /** Why no node will do; empty if one may. */
  public String refusal() {
    return refusal;
  }

  /** Whether the pod is not to be placed before its claims change. */
  public boolean areMissing() {
    return waits;
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return claims.isEmpty();
  }

  /** What is wrong with a claim or a class, found while nodes were looked at; empty if nothing. */
  public String failure() {
    return failure;
  }

  /** Why the pod cannot use a node; empty if it can. */
  public String refusal(String node, Map<String, String> labels) {
    if (claims.isEmpty() || found.containsKey(node)) {
      return "";
    }
    boolean reachable = true;
    for (Claim claim : claims) {
      Allocation allocation = claim.allocation();
      if (allocation != null
          && allocation.nodes() != null
          && !allocation.nodes().matches(node, labels)) {
        misplaced.add(claim);
        reachable = false;
      }
    }
    String refused = toAllocate.isEmpty() ? "" : allocate(node, labels);
    if (!refused.isEmpty() || reachable) {
      return refused;
    }
    found.remove(node);
    return "resourceclaim not available on the node";
  }

  private String allocate(String node, Map<String, String> labels) {
    if (!failure.isEmpty()) {
      return failure;
    }
    long begin = cluster.nanos().getAsLong();
    BooleanSupplier timeIsUp = () -> cluster.nanos().getAsLong() - begin > LONGEST_SEARCH;
    Allocator allocator =
        new Allocator(
            toAllocate,
            cluster.classes(),
            cluster.pools().of(node, labels),
            cluster.allocated(),
            cluster.consumed(),
            selectors,
            timeIsUp);
    try {
      Optional<List<List<Pick>>> picks = allocator.find();
      if (picks.isPresent()) {
        List<List<Pick>> unused = found.put(node, picks.get());
        return "";
      }
    } catch (AllocationException e) {
      failure = String.valueOf(e.getMessage());
      return failure;
    }
    if (timeIsUp.getAsBoolean()) {
      return "timed out trying to allocate devices";
    }
    return allocator.sawInvalidPools()
        ? "invalid resource pools were encountered"
        : "cannot allocate all claims";
  }

  /** How good the alternatives are that the requests get on a node; more is better. */
  public long rank(String node) {
    long rank = 0;
    for (List<Pick> picks : found.getOrDefault(node, List.of())) {
      Set<Request> seen = new HashSet<>();
      for (Pick pick : picks) {
        if (pick.request().alternatives() && seen.add(pick.request())) {
          rank += MOST_ALTERNATIVES - pick.request().choices().indexOf(pick.choice());
        }
      }
    }
    return rank;
  }

  List<Claim> claims() {
    return claims;
  }

  /** The claims with devices elsewhere that could be freed for the pod. */
  List<Claim> freeable(String podUid) {
    return claims.stream()
        .filter(claim -> misplaced.contains(claim) && claim.isIdle(podUid))
        .toList();
  }

  /** The allocation of each claim that gets one on a node, by its uid. */
  Map<String, MapNode> allocations(String node) {
    Map<String, MapNode> allocations = new LinkedHashMap<>();
    List<List<Pick>> picks = found.getOrDefault(node, new ArrayList<>());
    for (int i = 0; i < picks.size(); i++) {
      Claim claim = toAllocate.get(i);
      MapNode unused =
          allocations.put(claim.uid(), Allocations.of(claim, picks.get(i), cluster.classes()));
    }
    return allocations;
  }
}
