package dev.keelson.flow.rule;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A PriorityLevelConfiguration.
 *
 * @param uid of the object; empty if this server supplied a missing one
 * @param exempt whether its requests are never limited
 * @param shares its part of the server's seats, in proportion to the shares of all levels
 * @param lendablePercent how much of its seats others may borrow
 * @param borrowingLimitPercent how much it may borrow, in percent of its seats; null for no limit
 * @param queuing what becomes of requests above the limit; null if they are rejected
 */
public record PriorityLevel(
    String name,
    String uid,
    boolean exempt,
    int shares,
    int lendablePercent,
    @Nullable Integer borrowingLimitPercent,
    @Nullable Queuing queuing) {

  /** The name of the mandatory one that is not limited. */
  public static final String EXEMPT = "exempt";

  /** The name of the mandatory one for requests that no other FlowSchema matches. */
  public static final String CATCH_ALL = "catch-all";

  private static final int DEFAULT_SHARES = 30;

  /**
   * The queues of a level.
   *
   * @param queues their number, at least 1
   * @param handSize how many of them the requests of one flow may use
   * @param lengthLimit how many requests wait in one of them at most
   */
  public record Queuing(int queues, int handSize, int lengthLimit) {}

  /**
   * Reads an object. Empty if this server cannot use it: only the level {@code exempt} may be
   * exempt, since a level does not change between exempt and limited (source: apf_controller.go,
   * {@code queueSetCompleterForPL}).
   */
  public static Optional<PriorityLevel> of(ApiObject object) {
    return of(object.meta().name(), object.meta().uid(), object.root().map("spec"));
  }

  /** Reads a spec, as {@link #of(ApiObject)}. */
  public static Optional<PriorityLevel> of(String name, String uid, MapNode spec) {
    boolean exempt = spec.text("type").equals("Exempt");
    if (exempt != name.equals(EXEMPT) || exempt == spec.has("limited")) {
      return Optional.empty();
    }
    MapNode common = spec.map(exempt ? "exempt" : "limited");
    MapNode response = common.map("limitResponse");
    boolean queues = response.text("type").equals("Queue");
    if (!exempt && queues != response.has("queuing")) {
      return Optional.empty();
    }
    return Optional.of(
        new PriorityLevel(
            name,
            uid,
            exempt,
            number(common, "nominalConcurrencyShares", exempt ? 0 : DEFAULT_SHARES),
            number(common, "lendablePercent", 0),
            common.has("borrowingLimitPercent") ? number(common, "borrowingLimitPercent", 0) : null,
            queues ? queuing(response.map("queuing")) : null));
  }

  private static Queuing queuing(MapNode queuing) {
    int queues = Math.max(1, number(queuing, "queues", 64));
    return new Queuing(
        queues,
        Math.clamp(number(queuing, "handSize", 8), 1, queues),
        number(queuing, "queueLengthLimit", 50));
  }

  private static int number(MapNode node, String field, int otherwise) {
    return node.get(field) instanceof Node.Int number ? Math.toIntExact(number.value()) : otherwise;
  }
}
