package dev.keelson.schema.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class UnifiedDiffTest {

  @Test
  void of_equalTexts_isEmpty() {
    assertThat(UnifiedDiff.of(List.of("a"), List.of("a"))).isEmpty();
  }

  @Test
  void of_oneLine_leavesTheLengthOut() {
    assertThat(UnifiedDiff.of(List.of("a"), List.of("b")))
        .isEqualTo("--- expected\n+++ got\n@@ -1 +1 @@\n-a\n+b\n");
  }

  @Test
  void of_addedAndRemovedLines_showsTenLinesAround() {
    List<String> before = lines();
    List<String> after = new ArrayList<>(before);
    after.remove(40);
    after.add(15, "new");

    String diff = UnifiedDiff.of(before, after);

    assertThat(diff.lines().filter(line -> line.startsWith("@@")))
        .containsExactly("@@ -6,20 +6,21 @@", "@@ -31,21 +32,20 @@");
    assertThat(diff.lines().filter(line -> line.startsWith("+") || line.startsWith("-")))
        .containsExactly("--- expected", "+++ got", "+new", "-line 40");
  }

  @Test
  void of_changesNearEachOther_isOneHunk() {
    List<String> before = lines();
    List<String> after = new ArrayList<>(before);
    after.set(20, "x");
    after.set(35, "y");

    assertThat(UnifiedDiff.of(before, after).lines().filter(line -> line.startsWith("@@")))
        .containsExactly("@@ -11,36 +11,36 @@");
  }

  private static List<String> lines() {
    return IntStream.range(0, 60).mapToObj(i -> "line " + i).toList();
  }
}
