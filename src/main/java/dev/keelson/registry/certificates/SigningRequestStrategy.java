package dev.keelson.registry.certificates;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import dev.keelson.registry.Timestamps;
import dev.keelson.request.UserInfo;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A signing request names the user who created it, and its spec never changes. Its decisions
 * (conditions of type Approved and Denied) are set through the subresource {@code approval} alone.
 */
public final class SigningRequestStrategy implements KindStrategy {

  private static final List<String> DECISIONS = List.of("Approved", "Denied");

  private final Timestamps timestamps;

  public SigningRequestStrategy(InstantSource clock) {
    this.timestamps = new Timestamps(clock);
  }

  @Override
  public ApiObject prepareForCreate(ApiObject object, UserInfo user) {
    MapNode spec =
        object
            .root()
            .map("spec")
            .without("uid")
            .without("extra")
            .with("username", Node.text(user.name()))
            .with("groups", Node.texts(user.groups()));
    if (!user.uid().isEmpty()) {
      spec = spec.with("uid", Node.text(user.uid()));
    }
    if (!user.extra().isEmpty()) {
      MapNode.Builder extra = MapNode.builder(user.extra().size());
      for (Map.Entry<String, List<String>> entry : new TreeMap<>(user.extra()).entrySet()) {
        extra.put(entry.getKey(), Node.texts(entry.getValue()));
      }
      spec = spec.with("extra", extra.build());
    }
    return object.with("spec", spec);
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    return object.with("spec", current.root().map("spec"));
  }

  @Override
  public ApiObject prepareForSubresourceUpdate(
      String subresource, ApiObject wanted, ApiObject current) {
    MapNode status = current.root().map("status");
    List<Node> conditions = wanted.root().map("status").items("conditions");
    status =
        conditions.isEmpty()
            ? status.without("conditions")
            : status.with("conditions", dated(conditions, current));
    return current.with("status", status).withMeta(wanted.meta());
  }

  /** Keeps the decisions of {@code current}; validation rejects others, and that one is missing. */
  @Override
  public ApiObject prepareForStatusUpdate(ApiObject object, ApiObject current) {
    MapNode status = object.root().map("status");
    List<Node> conditions = new ArrayList<>(status.items("conditions"));
    List<Node> before = current.root().map("status").items("conditions");
    for (String type : DECISIONS) {
      preserve(conditions, before, type);
    }
    return conditions.isEmpty()
        ? object
        : object.with("status", status.with("conditions", dated(conditions, current)));
  }

  private static void preserve(List<Node> conditions, List<Node> before, String type) {
    int[] now = indexes(conditions, type);
    int[] then = indexes(before, type);
    for (int i = 0; now.length == then.length && i < now.length; i++) {
      conditions.set(now[i], before.get(then[i]));
    }
  }

  private static int[] indexes(List<Node> conditions, String type) {
    return IntStream.range(0, conditions.size())
        .filter(i -> conditions.get(i) instanceof MapNode map && map.text("type").equals(type))
        .toArray();
  }

  /** Conditions with the times that the client left out. */
  private Node dated(List<Node> conditions, ApiObject current) {
    List<Node> dated = new ArrayList<>();
    for (Node item : conditions) {
      MapNode condition = item instanceof MapNode map ? map : MapNode.EMPTY;
      if (condition.text("lastUpdateTime").isEmpty()) {
        condition = condition.with("lastUpdateTime", Node.text(timestamps.now()));
      }
      if (condition.text("lastTransitionTime").isEmpty()) {
        condition = condition.with("lastTransitionTime", Node.text(since(condition, current)));
      }
      dated.add(condition);
    }
    return new Node.Items(dated);
  }

  private String since(MapNode condition, ApiObject current) {
    for (Node item : current.root().map("status").items("conditions")) {
      if (item instanceof MapNode old
          && old.text("type").equals(condition.text("type"))
          && old.text("status").equals(condition.text("status"))
          && !old.text("lastTransitionTime").isEmpty()) {
        return old.text("lastTransitionTime");
      }
    }
    return timestamps.now();
  }
}
