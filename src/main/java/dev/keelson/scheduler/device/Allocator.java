package dev.keelson.scheduler.device;

import dev.keelson.object.Node;
import dev.keelson.scheduler.device.Claim.Constraint;
import dev.keelson.scheduler.device.Device.Counter;
import dev.keelson.scheduler.device.Request.Choice;
import dev.keelson.scheduler.device.Slice.PoolId;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Searches devices of one node for the claims of a pod (source: the allocators of {@code
 * dynamic-resource-allocation/structured}). Used once, by one thread.
 */
final class Allocator {
  /*
   * The search is exhaustive and takes the first solution: claims, their requests and the devices of
   * each request are taken in order, every device that matches is tried, and what was taken is put
   * back when the rest cannot be found. Only constraints, counters and earlier picks depend on what
   * was taken before; whether a device matches a choice is remembered. A pick that would exceed the
   * most results of a claim fails like one that has no device.
   */

  /** Of one claim. */
  static final int MOST_RESULTS = 32;

  private final List<Claim> claims;
  private final Map<String, DeviceClass> classes;
  private final List<Pool> pools;
  private final Set<DeviceId> allocated;
  private final Selectors selectors;
  private final BooleanSupplier timeIsUp;
  private final List<List<Pick>> picks = new ArrayList<>();
  private final Map<DeviceId, Integer> taken = new HashMap<>();
  private final Map<PoolId, Map<Counter, Quantity>> left = new HashMap<>();

  /** What is taken of the capacity of shared devices. */
  private final Map<DeviceId, Map<String, Quantity>> used;

  private final Map<Match, Boolean> matches = new HashMap<>();

  /**
   * A device that was taken for a choice of a request.
   *
   * @param capacity what was taken of a shared one
   */
  record Pick(Request request, Choice choice, Device device, Map<String, Quantity> capacity) {}

  private record Match(DeviceId device, Choice choice) {}

  /** A device that is wanted: the place of its claim, of the request, of the choice and its own. */
  private record Wanted(int claim, int request, int choice, int device) {
    Wanted nextDevice() {
      return new Wanted(claim, request, choice, device + 1);
    }

    Wanted nextRequest() {
      return new Wanted(claim, request + 1, 0, 0);
    }
  }

  /**
   * A search.
   *
   * @param allocated the devices of other claims
   * @param consumed what they have taken of the capacity of shared ones
   * @param timeIsUp whether to give up
   */
  Allocator(
      List<Claim> claims,
      Map<String, DeviceClass> classes,
      List<Pool> pools,
      Set<DeviceId> allocated,
      Map<DeviceId, Map<String, Quantity>> consumed,
      Selectors selectors,
      BooleanSupplier timeIsUp) {
    this.claims = List.copyOf(claims);
    this.classes = classes;
    this.pools = List.copyOf(pools);
    this.allocated = allocated;
    this.used = new HashMap<>(consumed);
    this.selectors = selectors;
    this.timeIsUp = timeIsUp;
    claims.forEach(claim -> picks.add(new ArrayList<>()));
    for (Pool pool : pools) {
      left.put(pool.id(), new HashMap<>(pool.left(allocated)));
    }
  }

  /**
   * The devices of each claim; empty if there are not enough.
   *
   * @throws AllocationException if a claim or a class is wrong
   */
  Optional<List<List<Pick>>> find() throws AllocationException {
    return findRequest(new Wanted(0, 0, 0, 0)) ? Optional.of(picks) : Optional.empty();
  }

  /** Whether pools were left out because they are not valid. */
  boolean sawInvalidPools() {
    return pools.stream().anyMatch(pool -> pool.state() == Pool.State.INVALID);
  }

  private boolean findRequest(Wanted wanted) throws AllocationException {
    if (wanted.claim() == claims.size()) {
      return true;
    }
    List<Request> requests = claims.get(wanted.claim()).requests();
    if (wanted.request() == requests.size()) {
      return findRequest(new Wanted(wanted.claim() + 1, 0, 0, 0));
    }
    List<Choice> choices = requests.get(wanted.request()).choices();
    for (int i = 0; i < choices.size(); i++) {
      if (findChoice(new Wanted(wanted.claim(), wanted.request(), i, 0))) {
        return true;
      }
    }
    return false;
  }

  private boolean findChoice(Wanted wanted) throws AllocationException {
    Choice choice = choice(wanted);
    if (!choice.all()) {
      boolean tooMany = picks.get(wanted.claim()).size() + choice.count() > MOST_RESULTS;
      return !tooMany && findAny(wanted);
    }
    List<Device> all = all(wanted);
    boolean tooMany = picks.get(wanted.claim()).size() + all.size() > MOST_RESULTS;
    return !all.isEmpty() && !tooMany && findAll(wanted, all);
  }

  private Request request(Wanted wanted) {
    return claims.get(wanted.claim()).requests().get(wanted.request());
  }

  private Choice choice(Wanted wanted) {
    return request(wanted).choices().get(wanted.choice());
  }

  /** All devices that match, whether they are free or not. */
  private List<Device> all(Wanted wanted) throws AllocationException {
    List<Device> all = new ArrayList<>();
    for (Pool pool : pools) {
      if (pool.state() != Pool.State.USABLE) {
        throw new AllocationException(
            "claim %s, request %s: asks for all devices, but resource pool %s is currently %s"
                .formatted(
                    claims.get(wanted.claim()).name(),
                    request(wanted).name(),
                    pool.id(),
                    pool.state() == Pool.State.INVALID ? "invalid" : "being updated"));
      }
      for (Device device : pool.devices()) {
        if (matches(wanted, device)) {
          all.add(device);
        }
      }
    }
    return all;
  }

  private boolean findAll(Wanted wanted, List<Device> all) throws AllocationException {
    if (wanted.device() == all.size()) {
      return findRequest(wanted.nextRequest());
    }
    Device device = all.get(wanted.device());
    if (!take(wanted, device)) {
      return false;
    }
    if (findAll(wanted.nextDevice(), all)) {
      return true;
    }
    putBack(wanted, device);
    return false;
  }

  private boolean findAny(Wanted wanted) throws AllocationException {
    if (wanted.device() == choice(wanted).count()) {
      return findRequest(wanted.nextRequest());
    }
    if (timeIsUp.getAsBoolean()) {
      return false;
    }
    for (Pool pool : pools) {
      if (pool.state() != Pool.State.USABLE) {
        continue;
      }
      for (Device device : pool.devices()) {
        if (isFree(wanted, device) && matches(wanted, device) && take(wanted, device)) {
          if (findAny(wanted.nextDevice())) {
            return true;
          }
          putBack(wanted, device);
        }
      }
    }
    return false;
  }

  private boolean isFree(Wanted wanted, Device device) {
    if (choice(wanted).admin()) {
      return picks.get(wanted.claim()).stream().noneMatch(pick -> pick.device().equals(device));
    }
    // of a shared one its capacity decides
    return device.shared() || !isInUse(device);
  }

  private boolean isInUse(Device device) {
    return allocated.contains(device.id()) || taken.containsKey(device.id());
  }

  private boolean matches(Wanted wanted, Device device) throws AllocationException {
    if (device.unready()) {
      return false;
    }
    Choice choice = choice(wanted);
    Match match = new Match(device.id(), choice);
    Boolean known = matches.get(match);
    if (known == null) {
      DeviceClass type = classes.get(choice.deviceClass());
      known =
          type != null
              && selects("class " + type.name(), type.selectors(), device)
              && selects("claim " + claims.get(wanted.claim()).name(), choice.selectors(), device);
      Boolean unused = matches.put(match, known);
    }
    return known;
  }

  private boolean selects(String owner, List<String> expressions, Device device)
      throws AllocationException {
    for (int i = 0; i < expressions.size(); i++) {
      try {
        if (!selectors.selects(expressions.get(i), device)) {
          return false;
        }
      } catch (AllocationException e) {
        throw new AllocationException(owner + ": selector #" + i + ": " + e.getMessage());
      }
    }
    return true;
  }

  /** Takes a device if counters, taints and constraints allow it. */
  private boolean take(Wanted wanted, Device device) throws AllocationException {
    Choice choice = choice(wanted);
    boolean tainted = device.taints().stream().anyMatch(taint -> !choice.tolerates(taint));
    if (tainted || !isFree(wanted, device) || !hasCounters(device)) {
      return false;
    }
    Map<String, Quantity> capacity = capacity(choice, device);
    if (capacity == null) {
      return false;
    }
    if (!satisfiesConstraints(wanted, device)) {
      if (choice.all()) {
        throw new AllocationException(
            "claim %s, request %s: cannot add device %s because a claim constraint would not be satisfied"
                .formatted(claims.get(wanted.claim()).name(), request(wanted).name(), device.id()));
      }
      return false;
    }
    // the counters of a shared one are taken once
    if (!device.shared() || !isInUse(device)) {
      count(device, -1);
    }
    int unused = taken.merge(device.id(), 1, Integer::sum);
    if (!capacity.isEmpty()) {
      Map<String, Quantity> unused2 = used.merge(device.id(), capacity, SharedCapacity::sum);
    }
    return picks.get(wanted.claim()).add(new Pick(request(wanted), choice, device, capacity));
  }

  /** What a choice takes of a shared device, nothing of others; null if there is not as much. */
  private @Nullable Map<String, Quantity> capacity(Choice choice, Device device) {
    if (!device.shared() && choice.capacity().isEmpty()) {
      return Map.of();
    }
    Map<String, Quantity> amounts = SharedCapacity.of(device, choice.capacity());
    Map<String, Quantity> before =
        device.shared() && !choice.admin() ? used.getOrDefault(device.id(), Map.of()) : Map.of();
    if (amounts == null || !SharedCapacity.fits(device, before, amounts)) {
      return null;
    }
    return device.shared() ? amounts : Map.of();
  }

  private void putBack(Wanted wanted, Device device) {
    Pick last = picks.get(wanted.claim()).removeLast();
    taken.computeIfPresent(device.id(), (id, times) -> times == 1 ? null : times - 1);
    if (!device.shared() || !isInUse(device)) {
      count(device, 1);
    }
    used.computeIfPresent(
        device.id(), (id, amounts) -> SharedCapacity.without(amounts, last.capacity()));
  }

  private Map<Counter, Quantity> left(Device device) {
    return left.getOrDefault(new PoolId(device.id().driver(), device.id().pool()), Map.of());
  }

  private boolean hasCounters(Device device) {
    if (device.shared() && isInUse(device)) {
      return true;
    }
    return device.consumed().entrySet().stream()
        .allMatch(
            each ->
                left(device).getOrDefault(each.getKey(), Quantity.of(0)).compareTo(each.getValue())
                    >= 0);
  }

  private void count(Device device, int sign) {
    device
        .consumed()
        .forEach(
            (counter, amount) ->
                left(device)
                    .computeIfPresent(
                        counter, (c, had) -> sign < 0 ? had.minus(amount) : had.plus(amount)));
  }

  private boolean satisfiesConstraints(Wanted wanted, Device device) {
    for (Constraint constraint : claims.get(wanted.claim()).constraints()) {
      if (constraint.appliesTo(request(wanted), choice(wanted))
          && !satisfies(constraint, picks.get(wanted.claim()), device)) {
        return false;
      }
    }
    return true;
  }

  private static boolean satisfies(Constraint constraint, List<Pick> picks, Device device) {
    Node value = device.attribute(constraint.attribute());
    if (value == null) {
      return false;
    }
    Set<Node> values = new HashSet<>();
    for (Pick pick : picks) {
      Node other =
          constraint.appliesTo(pick.request(), pick.choice())
              ? pick.device().attribute(constraint.attribute())
              : null;
      if (other != null) {
        values.add(other);
      }
    }
    return constraint.distinct()
        ? !values.contains(value)
        : values.isEmpty() || values.contains(value);
  }
}
