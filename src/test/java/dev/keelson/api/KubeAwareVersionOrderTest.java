package dev.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class KubeAwareVersionOrderTest {

  /** The example of Kubernetes' documentation of version priority, with names of other forms. */
  @Test
  void versions_areOrderedByMaturityThenNumber() {
    List<String> expected =
        List.of(
            "v10",
            "v2",
            "v1",
            "v11beta2",
            "v10beta3",
            "v3beta1",
            "v12alpha1",
            "v11alpha2",
            "V1",
            "foo1",
            "foo10",
            "v0",
            "v01",
            "v1beta",
            "v1rc1");
    List<String> versions = new ArrayList<>(expected);
    Collections.reverse(versions);

    versions.sort(KubeAwareVersionOrder.PREFERRED_FIRST);

    assertThat(versions).isEqualTo(expected);
  }

  @Test
  void numbersBeyondTheirLength_areOtherNames() {
    assertThat(KubeAwareVersionOrder.PREFERRED_FIRST.compare("v" + "9".repeat(40), "v1alpha1"))
        .isPositive();
  }
}
