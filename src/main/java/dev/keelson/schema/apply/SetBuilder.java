package dev.keelson.schema.apply;

import dev.keelson.object.Node.MapNode;
import dev.keelson.work.Turn;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A place in a field set that is being collected; the place of the object is the top. */
final class SetBuilder {

  private boolean member;
  private @Nullable Map<String, SetBuilder> below;

  /** Makes the place a member. */
  void add() {
    member = true;
  }

  /** The place one step below. */
  SetBuilder child(String element) {
    Turn.pass();
    Map<String, SetBuilder> known = below;
    if (known == null) {
      known = new TreeMap<>(PathElement::compare);
      below = known;
    }
    return known.computeIfAbsent(element, _ -> new SetBuilder());
  }

  /** The set as fieldsV1. The root is never a member. */
  MapNode build() {
    member = false;
    return tree();
  }

  private MapNode tree() {
    Map<String, SetBuilder> known = below;
    if (known == null) {
      return MapNode.EMPTY;
    }
    MapNode.Builder out = MapNode.builder(known.size() + 1);
    if (member) {
      out.put(".", MapNode.EMPTY);
    }
    known.forEach(
        (element, place) -> {
          // a place that only has members below it is not in the set
          if (place.member || place.below != null) {
            out.put(element, place.tree());
          }
        });
    return out.build();
  }
}
