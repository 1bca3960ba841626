package dev.keelson.schema.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class UnifiedDiffTest {

  @Test
  void of_equalTexts_isEmpty() {
    assertThat(UnifiedDiff.of(List.of("a"), List.of("a"))).isEmpty();
  }

  @Test
  void of_oneLine_leavesTheLengthOut() {
    assertThat(UnifiedDiff.of(List.of("a"), List.of("b"))).isEqualTo("@@ -1 +1 @@\n-a\n+b\n");
  }

  @Test
  void of_addedAndRemovedLines_showsThreeLinesAround() {
    List<String> before = lines();
    List<String> after = new ArrayList<>(before);
    after.remove(40);
    after.add(15, "new");

    String diff = UnifiedDiff.of(before, after);

    assertThat(diff.lines().filter(line -> line.startsWith("@@")))
        .containsExactly("@@ -13,6 +13,7 @@", "@@ -38,7 +39,6 @@");
    assertThat(diff.lines().filter(line -> line.startsWith("+") || line.startsWith("-")))
        .containsExactly("+new", "-line 40");
  }

  @Test
  void of_changesNearEachOther_isOneHunk() {
    List<String> before = lines();
    List<String> after = new ArrayList<>(before);
    after.set(20, "x");
    after.set(27, "y");

    assertThat(UnifiedDiff.of(before, after).lines().filter(line -> line.startsWith("@@")))
        .containsExactly("@@ -18,14 +18,14 @@");
  }

  /** Every other line is another one, so that there are as many runs as lines. */
  @Test
  void of_hugeTexts_showsTheirEndsAndOneChange() {
    List<String> before = IntStream.range(0, 300_000).mapToObj(i -> "line " + i).toList();
    List<String> after = new ArrayList<>(before);
    for (int i = 1_000; i < 299_000; i += 2) {
      after.set(i, "other " + i);
    }

    String diff = UnifiedDiff.of(before, after);

    assertThat(diff).startsWith("@@ -998,298005 +998,298005 @@\n line 997\n");
    assertThat(diff).contains(" line 999\n-line 1000\n-line 1001\n", "\n+other 1000\n+line 1001\n");
    assertThat(diff).endsWith("+other 298998\n" + context(298_999));
  }

  @Test
  void of_manyRuns_withinTheBound_findsEachChange() {
    List<String> before = IntStream.range(0, 4_000).mapToObj(i -> "line " + i).toList();
    List<String> after = new ArrayList<>(before);
    for (int i = 0; i < 4_000; i += 40) {
      after.set(i, "other " + i);
    }

    String diff = UnifiedDiff.of(before, after);

    assertThat(diff.lines().filter(line -> line.startsWith("@@"))).hasSize(100);
    assertThat(diff.lines().filter(line -> line.startsWith("-line"))).hasSize(100);
    assertThat(diff.lines().filter(line -> line.startsWith("+other"))).hasSize(100);
  }

  private static String context(int from) {
    return IntStream.range(from, from + 3)
        .mapToObj(i -> " line " + i + "\n")
        .collect(java.util.stream.Collectors.joining());
  }

  private static List<String> lines() {
    return IntStream.range(0, 60).mapToObj(i -> "line " + i).toList();
  }
}
