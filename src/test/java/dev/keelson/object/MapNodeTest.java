package dev.keelson.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.MapNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MapNodeTest {

  private static final MapNode AB = MapNode.of("a", new Int(1)).with("b", new Int(2));

  @Test
  void with_aKnownKey_keepsItsPlace() {
    MapNode changed = AB.with("a", new Int(9));

    assertThat(changed.keys()).containsExactly("a", "b");
    assertThat(changed.get("a")).isEqualTo(new Int(9));
    assertThat(AB.get("a")).isEqualTo(new Int(1));
  }

  @Test
  void with_aNewKey_putsItLast() {
    assertThat(AB.with("0", new Int(3)).keys()).containsExactly("a", "b", "0");
  }

  @Test
  void with_theSameValue_isTheSameObject() {
    Node value = new Int(5);
    MapNode map = MapNode.of("k", value);

    assertThat(map.with("k", value)).isSameAs(map);
  }

  @Test
  void without_removesOneKey() {
    assertThat(AB.without("a").keys()).containsExactly("b");
    assertThat(AB.without("x")).isSameAs(AB);
    assertThat(AB.without("a").without("b")).isEqualTo(MapNode.EMPTY);
  }

  @Test
  void withAt_makesTheObjectsOnTheWay() {
    MapNode map = AB.withAt(List.of("c", "d", "e"), Node.text("x"));

    assertThat(map.at("c", "d", "e")).isEqualTo(Node.text("x"));
    assertThat(map.get("a")).isEqualTo(new Int(1));
  }

  @Test
  void withAt_throughAScalar_replacesIt() {
    assertThat(AB.withAt(List.of("a", "x"), Node.text("y")).at("a", "x")).isEqualTo(Node.text("y"));
  }

  @Test
  void at_endsAtTheFirstMissingStep() {
    assertThat(AB.at("a")).isEqualTo(new Int(1));
    assertThat(AB.at("x", "y")).isNull();
    assertThat(AB.at("a", "y")).isNull();
  }

  @Test
  void equality_ignoresTheOrderOfKeys() {
    MapNode other = MapNode.of("b", new Int(2)).with("a", new Int(1));

    assertThat(other).isEqualTo(AB).hasSameHashCodeAs(AB);
    assertThat(other.with("a", new Int(2))).isNotEqualTo(AB);
    assertThat(other.without("a")).isNotEqualTo(AB);
    assertThat(MapNode.of("a", new Int(1)).with("c", new Int(2))).isNotEqualTo(AB);
  }

  @Test
  void largeMaps_areFoundByTheirIndex() {
    Map<String, Node> entries = new LinkedHashMap<>();
    for (int i = 0; i < 500; i++) {
      entries.put("key" + i, new Int(i));
    }
    MapNode map = MapNode.copyOf(entries);

    for (int i = 0; i < 500; i++) {
      assertThat(map.get("key" + i)).isEqualTo(new Int(i));
    }
    assertThat(map.has("key500")).isFalse();
    assertThat(map.with("key7", new Int(-1)).get("key7")).isEqualTo(new Int(-1));
    assertThat(map.without("key7").has("key7")).isFalse();
    assertThat(map.without("key7").get("key8")).isEqualTo(new Int(8));
  }

  @Test
  void typedReads_giveEmptyForAnythingElse() {
    MapNode map =
        MapNode.of("text", Node.text("x"))
            .with("list", Node.texts(List.of("y")))
            .with("map", MapNode.of("z", Node.text("w")));

    assertThat(map.text("text")).isEqualTo("x");
    assertThat(map.text("list")).isEmpty();
    assertThat(map.text("none")).isEmpty();
    assertThat(map.items("list")).containsExactly(Node.text("y"));
    assertThat(map.items("text")).isEmpty();
    assertThat(map.map("map").text("z")).isEqualTo("w");
    assertThat(map.map("text")).isEqualTo(MapNode.EMPTY);
    assertThat(map.texts()).containsExactly(Map.entry("text", "x"));
  }

  @Test
  void set_replacesInPlaceHoweverManyKeysThereAre() {
    for (int count : new int[] {2, 12, 13, 14, 40}) {
      MapNode.Builder builder = MapNode.builder(1);
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < count; i++) {
          builder.set("k" + i, new Node.Int(10L * round + i));
        }
      }
      MapNode map = builder.build();

      assertThat(map.size()).isEqualTo(count);
      for (int i = 0; i < count; i++) {
        assertThat(map.keyAt(i)).isEqualTo("k" + i);
        assertThat(map.get("k" + i)).isEqualTo(new Node.Int(10L + i));
      }
    }
  }

  @Test
  void build_givesAnObjectThatLaterEntriesDoNotChange() {
    MapNode.Builder builder = MapNode.builder(1).put("a", new Node.Int(1));
    MapNode first = builder.build();

    MapNode second = builder.set("a", new Node.Int(2)).put("b", new Node.Int(3)).build();

    assertThat(first).isEqualTo(MapNode.of("a", new Node.Int(1)));
    assertThat(second.size()).isEqualTo(2);
  }
}
