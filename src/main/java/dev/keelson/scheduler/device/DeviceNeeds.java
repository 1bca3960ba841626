package dev.keelson.scheduler.device;

import dev.keelson.object.Node.MapNode;
import dev.keelson.scheduler.device.Allocator.Pick;
import dev.keelson.scheduler.device.Claim.Allocation;
import dev.keelson.scheduler.device.ExtendedRequests.Plan;
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
import org.jspecify.annotations.Nullable;

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
  private final Extended extended;
  private final Map<String, Found> found = new HashMap<>();
  private final Set<Claim> misplaced = new HashSet<>();
  private final Set<Claim> lost;
  private String failure = "";

  /** The claim for extended resources as it was stored; null before. */
  private @Nullable Claim created;

  /**
   * The extended resources of a pod that may be devices.
   *
   * @param namespace of the pod
   * @param classes the classes of their devices, by the names of the resources
   * @param stale a claim that an earlier attempt has left; null if there is none
   */
  record Extended(
      String namespace,
      ExtendedRequests requests,
      Map<String, String> classes,
      @Nullable Claim stale) {

    static final Extended NONE = new Extended("", ExtendedRequests.NONE, Map.of(), null);

    Extended {
      classes = Map.copyOf(classes);
    }
  }

  /**
   * What was found on a node.
   *
   * @param claims that were looked for, the one for extended resources at the end
   * @param picks the devices of each
   * @param mappings which container has which request of the one for extended resources
   */
  private record Found(List<Claim> claims, List<List<Pick>> picks, List<MapNode> mappings) {}

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
    this(claims, Set.of(), Extended.NONE, cluster, new Selectors());
  }

  /**
   * Those of a pod.
   *
   * @param claims that its author gave it
   * @param lost those whose devices will never be ready
   */
  DeviceNeeds(
      List<Claim> claims,
      Set<Claim> lost,
      Extended extended,
      Cluster cluster,
      Selectors selectors) {
    this.refusal = "";
    this.waits = false;
    this.lost = Set.copyOf(lost);
    this.extended = extended;
    this.claims = List.copyOf(claims);
    this.toAllocate = claims.stream().filter(claim -> claim.allocation() == null).toList();
    this.cluster = cluster;
    this.selectors = selectors;
  }

  private DeviceNeeds(String refusal, boolean waits) {
    this.refusal = refusal;
    this.waits = waits;
    this.lost = Set.of();
    this.extended = Extended.NONE;
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
    return claims.isEmpty() && extended.classes().isEmpty();
  }

  /** Whether an extended resource is looked for among devices on nodes that do not have it. */
  public boolean provide(String resource) {
    return extended.classes().containsKey(resource);
  }

  /** What is wrong with a claim or a class, found while nodes were looked at; empty if nothing. */
  public String failure() {
    return failure;
  }

  /**
   * Why the pod cannot use a node; empty if it can.
   *
   * @param has how much the node has of extended resources itself
   */
  public String refusal(String node, Map<String, String> labels, Map<String, Long> has) {
    if (isEmpty() || found.containsKey(node)) {
      return "";
    }
    if (extended.stale() != null) {
      return "cannot schedule extended resource claim";
    }
    Map<String, String> missing = new HashMap<>(extended.classes());
    missing.keySet().removeIf(resource -> has.getOrDefault(resource, 0L) != 0);
    if (claims.isEmpty() && missing.isEmpty()) {
      return "";
    }
    boolean reachable = true;
    for (Claim claim : claims) {
      Allocation allocation = claim.allocation();
      boolean elsewhere =
          allocation != null
              && allocation.nodes() != null
              && !allocation.nodes().matches(node, labels);
      if (elsewhere || lost.contains(claim)) {
        misplaced.add(claim);
        reachable = false;
      }
    }
    boolean satisfied = toAllocate.isEmpty() && missing.isEmpty();
    String refused = satisfied ? "" : allocate(node, labels, missing);
    if (!refused.isEmpty() || reachable) {
      return refused;
    }
    found.remove(node);
    return "resourceclaim not available on the node";
  }

  private String allocate(String node, Map<String, String> labels, Map<String, String> missing) {
    if (!failure.isEmpty()) {
      return failure;
    }
    List<Claim> wanted = new ArrayList<>(toAllocate);
    List<MapNode> mappings = List.of();
    if (!missing.isEmpty()) {
      Plan plan = extended.requests().plan(missing);
      wanted.add(Claim.ofExtended(extended.namespace(), plan.requests()));
      mappings = plan.mappings();
    }
    long begin = cluster.nanos().getAsLong();
    BooleanSupplier timeIsUp = () -> cluster.nanos().getAsLong() - begin > LONGEST_SEARCH;
    Allocator allocator =
        new Allocator(
            wanted,
            cluster.classes(),
            cluster.pools().of(node, labels),
            cluster.allocated(),
            cluster.consumed(),
            selectors,
            timeIsUp);
    try {
      Optional<List<List<Pick>>> picks = allocator.find();
      if (picks.isPresent()) {
        Found unused = found.put(node, new Found(wanted, picks.get(), mappings));
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
    Found known = found.get(node);
    for (List<Pick> picks : known == null ? List.<List<Pick>>of() : known.picks()) {
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

  /** A claim for extended resources that an earlier attempt has left; null if there is none. */
  @Nullable Claim stale() {
    return extended.stale();
  }

  /** The claim for extended resources that is to be stored on a node; null if none is needed. */
  @Nullable Claim ofExtended(String node) {
    Found known = found.get(node);
    return known == null || known.mappings().isEmpty() ? null : known.claims().getLast();
  }

  /** Which container has which request of the claim for extended resources on a node. */
  List<MapNode> mappings(String node) {
    Found known = found.get(node);
    return known == null ? List.of() : known.mappings();
  }

  /** The claim for extended resources as it was stored last; null if it was not. */
  @Nullable Claim created() {
    return created;
  }

  /** Remembers that a claim for extended resources was stored. */
  void created(Claim claim) {
    created = claim;
  }

  /** All claims that are stored. */
  List<Claim> stored() {
    if (created == null) {
      return claims;
    }
    List<Claim> all = new ArrayList<>(claims);
    all.add(created);
    return all;
  }

  /** The claims with devices elsewhere that could be freed for the pod. */
  List<Claim> freeable(String podUid) {
    return claims.stream()
        .filter(claim -> misplaced.contains(claim) && claim.isIdle(podUid))
        .toList();
  }

  /** The allocation of each claim that gets one on a node, by its uid. */
  Map<String, MapNode> allocations(String node) {
    Found known = found.get(node);
    if (known == null) {
      return Map.of();
    }
    Map<String, MapNode> allocations = new LinkedHashMap<>();
    for (int i = 0; i < known.claims().size(); i++) {
      Claim claim = known.claims().get(i);
      MapNode unused =
          allocations.put(
              claim.uid(), Allocations.of(claim, known.picks().get(i), cluster.classes(), node));
    }
    return allocations;
  }
}
