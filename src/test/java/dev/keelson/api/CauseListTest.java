package dev.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The bounds of the causes of an error. */
class CauseListTest {

  private static final GroupVersionKind KIND = GroupVersion.CORE_V1.kind("ConfigMap");

  private static List<FieldCause> causes(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> FieldCause.invalid("data[" + i + "]", "v", "wrong"))
        .toList();
  }

  @Test
  void fewCauses_areToldAsTheyAre() {
    ApiException error = ApiException.invalid(KIND, "m", causes(CauseList.MOST));

    assertThat(error.details().causes()).isEqualTo(causes(CauseList.MOST));
    assertThat(error.text())
        .startsWith("ConfigMap \"m\" is invalid: [data[0]: Invalid value: \"v\": wrong, ")
        .endsWith("data[63]: Invalid value: \"v\": wrong]");
  }

  @Test
  void manyCauses_endWithTheirNumber() {
    ApiException error = ApiException.invalid(KIND, "m", causes(120_000));

    assertThat(error.details().causes())
        .hasSize(CauseList.MOST + 1)
        .startsWith(causes(CauseList.MOST).toArray(FieldCause[]::new))
        .endsWith(new FieldCause("", "and 119936 more", ""));
    assertThat(error.text()).endsWith("wrong, and 119936 more]");
  }

  @Test
  void listsOfSeveralChecks_areCountedTogether() {
    List<FieldCause> all = new ArrayList<>(CauseList.of(causes(100)));
    all.addAll(CauseList.of(causes(100)));

    assertThat(CauseList.of(all))
        .hasSize(CauseList.MOST + 1)
        .endsWith(new FieldCause("", "and 136 more", ""));
  }

  @Test
  void longCauses_areCut() {
    String value = "x".repeat(3_000_000);
    List<FieldCause> causes =
        CauseList.of(
            List.of(
                FieldCause.invalid("data[a]", value, "wrong"),
                FieldCause.invalid("data[b]", value, "wrong")));

    assertThat(causes).hasSize(2);
    assertThat(causes.getFirst().field()).isEqualTo("data[a]");
    assertThat(causes.getFirst().message())
        .hasSizeLessThan(CauseList.MOST_CHARACTERS + 100)
        .startsWith("Invalid value: \"xxx")
        .endsWith(" characters more)");
    assertThat(causes.getLast().message()).isEqualTo("and 1 more");
  }
}
