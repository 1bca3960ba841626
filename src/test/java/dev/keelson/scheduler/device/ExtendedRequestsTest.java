package dev.keelson.scheduler.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.MapNode;
import dev.keelson.scheduler.device.ExtendedRequests.Plan;
import dev.keelson.testing.CustomTypes;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows are cases of kube-scheduler's {@code extendeddynamicresources_test.go}. */
final class ExtendedRequestsTest {

  /** Containers as {@code NAME=AMOUNT}; sidecars have a name that begins with s. */
  private static String containers(@Nullable String list) {
    return list == null
        ? ""
        : Arrays.stream(list.split(" ", -1))
            .map(each -> each.split("=", -1))
            .map(
                each ->
                    "{'name':'%s',%s'resources':{'requests':{'cpu':'1','example.com/gpu':'%s'}}}"
                        .formatted(
                            each[0],
                            each[0].startsWith("s") ? "'restartPolicy':'Always'," : "",
                            each[1]))
            .collect(Collectors.joining(","));
  }

  private static ExtendedRequests requests(@Nullable String inits, String containers) {
    return ExtendedRequests.of(
        CustomTypes.tree(
            "{'initContainers':[%s],'containers':[%s]}"
                .formatted(containers(inits), containers(containers))));
  }

  private static String text(Plan plan) {
    String asked =
        plan.requests().stream()
            .map(each -> each.name() + "=" + each.choices().getFirst().count())
            .collect(Collectors.joining(" "));
    String had =
        plan.mappings().stream()
            .map(each -> each.text("containerName") + "=" + each.text("requestName"))
            .collect(Collectors.joining(" "));
    return asked.replace("container-", "").replace("-request-1", "")
        + " | "
        + had.replace("container-", "").replace("-request-1", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          one container                          ;          ; c=2     ; 0=2 | c=0
          one that asks for nothing              ;          ; b=0 c=2 ; 1=2 | c=1
          two containers                         ;          ; b=1 c=2 ; 0=1 1=2 | b=0 c=1
          an init container uses them as well    ; i=2      ; c=2     ; 1=2 | c=1 i=1
          it needs fewer                         ; i=1      ; b=1 c=2 ; 1=1 2=2 | b=1 c=2 i=1
          it needs more                          ; i=5      ; b=1 c=2 ; 0=2 1=1 2=2 | b=1 c=2 i=1 i=2 i=0
          two share what they need more          ; i=3 j=4  ; c=2     ; 1=2 2=2 | c=2 i=2 i=1 j=2 j=1
          a sidecar has its own                  ; s=1      ; c=2     ; 0=1 1=2 | s=0 c=1
          nothing of a sidecar that was before   ; s=1 i=1  ; c=2     ; 0=1 2=2 | s=0 c=2 i=2
          but of one that comes later            ; i=2 s=1  ; c=2     ; 1=1 2=2 | s=1 c=2 i=1 i=2
          """)
  void plan(String name, @Nullable String inits, String containers, String expected) {
    Plan plan = requests(inits, containers).plan(Map.of("example.com/gpu", "gpus"));

    assertThat(text(plan)).as(name).isEqualTo(expected);
    assertThat(plan.requests())
        .allMatch(each -> each.choices().getFirst().deviceClass().equals("gpus"));
    assertThat(plan.mappings())
        .extracting((MapNode each) -> each.text("resourceName"))
        .containsOnly("example.com/gpu");
  }

  @Test
  void podWithoutExtendedResources_hasNone() {
    ExtendedRequests requests =
        ExtendedRequests.of(
            CustomTypes.tree("{'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}"));

    assertThat(requests.isEmpty()).isTrue();
    assertThat(requests(null, "c=1").names()).containsExactly("example.com/gpu");
  }
}
