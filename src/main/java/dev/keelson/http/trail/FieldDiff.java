package dev.keelson.http.trail;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields in which two states of an object differ. Used by one thread. */
final class FieldDiff {

  /** So many fields are shown at most. */
  private static final int MOST = 200;

  /** Changed by every write. */
  private static final Set<String> UNINTERESTING =
      Set.of(".metadata.managedFields", ".metadata.resourceVersion");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final List<Node> changes = new ArrayList<>();

  private FieldDiff() {}

  /** The changes from one state to the next, as the API shows them. */
  static List<Node> between(MapNode before, MapNode after) {
    FieldDiff diff = new FieldDiff();
    diff.compare("", before, after);
    return diff.changes;
  }

  private void compare(String path, @Nullable Node before, @Nullable Node after) {
    Turn.pass();
    if (changes.size() >= MOST || UNINTERESTING.contains(path)) {
      return;
    }
    if (before instanceof MapNode old && after instanceof MapNode now) {
      old.forEach((key, value) -> compare(path + step(key), value, now.get(key)));
      now.forEach(
          (key, value) -> {
            if (!old.has(key)) {
              compare(path + step(key), null, value);
            }
          });
    } else if (before instanceof Items old
        && after instanceof Items now
        && old.values().size() == now.values().size()) {
      for (int i = 0; i < old.values().size(); i++) {
        compare(path + "[" + i + "]", old.values().get(i), now.values().get(i));
      }
    } else if (before == null ? after != null : !before.equals(after)) {
      add(path, before, after);
    }
  }

  private static String step(String key) {
    return PLAIN.matcher(key).matches() ? "." + key : "['" + key.replace("'", "\\'") + "']";
  }

  private void add(String path, @Nullable Node before, @Nullable Node after) {
    MapNode.Builder change = MapNode.builder(3).put("path", Node.text(path));
    if (before != null) {
      change.put("before", before);
    }
    if (after != null) {
      change.put("after", after);
    }
    changes.add(change.build());
  }
}
