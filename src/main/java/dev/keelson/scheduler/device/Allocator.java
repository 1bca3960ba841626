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
   * was taken before; whether a device matches a choice is remembered. The devices of one request are
   * taken in the order of the pools, so that sets of them are tried once, and not in every order. A
   * pick that would exceed the most results of a claim fails like one that has no device.
   */

  /** Of one claim. */
  static final int MOST_RESULTS = 32;

  private final List<Claim> claims;
  private final Map<String, DeviceClass> classes;
  private final List<Pool> pools;

  /** The devices of all usable pools. */
  private final List<Device> usable = new ArrayList<>();

  /** What choices of all devices mean: those that match, whether they are free or not. */
  private final Map<Place, List<Device>> all = new HashMap<>();

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

  /** The place of a choice: that of its claim, of the request and its own. */
  private record Place(int claim, int request, int choice) {}

  /**
   * A device that is wanted.
   *
   * @param device its place among those of the choice
   * @param from the first of the usable devices that may be it
   */
  private record Wanted(Place place, int device, int from) {
    int claim() {
      return place.claim();
    }

    Wanted nextDevice(int first) {
      return new Wanted(place, device + 1, first);
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
      if (pool.state() == Pool.State.USABLE) {
        usable.addAll(pool.devices());
      }
    }
  }

  /**
   * The devices of each claim; empty if there are not enough.
   *
   * @throws AllocationException if a claim or a class is wrong
   */
  Optional<List<List<Pick>>> find() throws AllocationException {
    for (int i = 0; i < claims.size(); i++) {
      check(i);
    }
    return findRequest(0, 0) ? Optional.of(picks) : Optional.empty();
  }

  /** Finds out what all devices are, and whether a claim asks for more than it can be given. */
  private void check(int claim) throws AllocationException {
    long fewest = 0;
    List<Request> requests = claims.get(claim).requests();
    for (int i = 0; i < requests.size(); i++) {
      long least = Long.MAX_VALUE;
      List<Choice> choices = requests.get(i).choices();
      for (int j = 0; j < choices.size(); j++) {
        Place place = new Place(claim, i, j);
        if (choices.get(j).all()) {
          List<Device> devices = allOf(place);
          all.put(place, devices);
          least = Math.min(least, devices.size());
        } else {
          least = Math.min(least, choices.get(j).count());
        }
      }
      fewest += choices.isEmpty() ? 0 : least;
    }
    if (fewest > MOST_RESULTS) {
      throw new AllocationException(
          "claim %s: number of requested devices %d exceeds the claim limit of %d"
              .formatted(claims.get(claim).name(), fewest, MOST_RESULTS));
    }
  }

  /** Whether pools were left out because they are not valid. */
  boolean sawInvalidPools() {
    return pools.stream().anyMatch(pool -> pool.state() == Pool.State.INVALID);
  }

  private boolean findRequest(int claim, int request) throws AllocationException {
    if (claim == claims.size()) {
      return true;
    }
    List<Request> requests = claims.get(claim).requests();
    if (request == requests.size()) {
      return findRequest(claim + 1, 0);
    }
    int choices = requests.get(request).choices().size();
    for (int i = 0; i < choices; i++) {
      if (findChoice(new Wanted(new Place(claim, request, i), 0, 0))) {
        return true;
      }
    }
    return false;
  }

  private boolean findNextRequest(Wanted wanted) throws AllocationException {
    return findRequest(wanted.claim(), wanted.place().request() + 1);
  }

  private boolean findChoice(Wanted wanted) throws AllocationException {
    Choice choice = choice(wanted.place());
    List<Device> devices = all.getOrDefault(wanted.place(), List.of());
    long count = choice.all() ? devices.size() : choice.count();
    if (picks.get(wanted.claim()).size() + count > MOST_RESULTS) {
      return false;
    }
    return choice.all() ? !devices.isEmpty() && findAll(wanted, devices) : findAny(wanted);
  }

  private Request request(Place place) {
    return claims.get(place.claim()).requests().get(place.request());
  }

  private Choice choice(Place place) {
    return request(place).choices().get(place.choice());
  }

  private List<Device> allOf(Place place) throws AllocationException {
    List<Device> devices = new ArrayList<>();
    for (Pool pool : pools) {
      if (pool.state() != Pool.State.USABLE) {
        throw new AllocationException(
            "claim %s, request %s: asks for all devices, but resource pool %s is currently %s"
                .formatted(
                    claims.get(place.claim()).name(),
                    request(place).name(),
                    pool.id(),
                    pool.state() == Pool.State.INVALID ? "invalid" : "being updated"));
      }
      for (Device device : pool.devices()) {
        if (matches(place, device) && capacity(choice(place), device) != null) {
          devices.add(device);
        }
      }
    }
    return devices;
  }

  private boolean findAll(Wanted wanted, List<Device> devices) throws AllocationException {
    if (wanted.device() == devices.size()) {
      return findNextRequest(wanted);
    }
    Device device = devices.get(wanted.device());
    if (!take(wanted.place(), device)) {
      return false;
    }
    if (findAll(wanted.nextDevice(0), devices)) {
      return true;
    }
    putBack(wanted.claim(), device);
    return false;
  }

  private boolean findAny(Wanted wanted) throws AllocationException {
    Place place = wanted.place();
    if (wanted.device() == choice(place).count()) {
      return findNextRequest(wanted);
    }
    if (timeIsUp.getAsBoolean()) {
      return false;
    }
    for (int i = wanted.from(); i < usable.size(); i++) {
      Device device = usable.get(i);
      if (isFree(place, device) && matches(place, device) && take(place, device)) {
        if (findAny(wanted.nextDevice(i + 1))) {
          return true;
        }
        putBack(wanted.claim(), device);
      }
    }
    return false;
  }

  private boolean isFree(Place place, Device device) {
    if (choice(place).admin()) {
      return picks.get(place.claim()).stream().noneMatch(pick -> pick.device().equals(device));
    }
    // of a shared one its capacity decides
    return device.shared() || !isInUse(device);
  }

  private boolean isInUse(Device device) {
    return allocated.contains(device.id()) || taken.containsKey(device.id());
  }

  private boolean matches(Place place, Device device) throws AllocationException {
    Choice choice = choice(place);
    Match match = new Match(device.id(), choice);
    Boolean known = matches.get(match);
    if (known == null) {
      DeviceClass type = classes.get(choice.deviceClass());
      known =
          type != null
              && selects("class " + type.name(), type.selectors(), device)
              && selects("claim " + claims.get(place.claim()).name(), choice.selectors(), device);
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
  private boolean take(Place place, Device device) throws AllocationException {
    Choice choice = choice(place);
    boolean tainted = device.taints().stream().anyMatch(taint -> !choice.tolerates(taint));
    if (tainted || !isFree(place, device) || !hasCounters(device)) {
      return false;
    }
    Map<String, Quantity> capacity = capacity(choice, device);
    if (capacity == null) {
      return false;
    }
    if (!satisfiesConstraints(place, device)) {
      if (choice.all()) {
        throw new AllocationException(
            "claim %s, request %s: cannot add device %s because a claim constraint would not be satisfied"
                .formatted(claims.get(place.claim()).name(), request(place).name(), device.id()));
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
    return picks.get(place.claim()).add(new Pick(request(place), choice, device, capacity));
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

  private void putBack(int claim, Device device) {
    Pick last = picks.get(claim).removeLast();
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

  private boolean satisfiesConstraints(Place place, Device device) {
    for (Constraint constraint : claims.get(place.claim()).constraints()) {
      if (constraint.appliesTo(request(place), choice(place))
          && !satisfies(constraint, picks.get(place.claim()), device)) {
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
