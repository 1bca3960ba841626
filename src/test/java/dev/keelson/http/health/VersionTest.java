package dev.keelson.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionTest {

  @Test
  void answer_hasTheShapeClientsRead() {
    Version version =
        new Version("0.1.0", "abc", "2026-11-21T00:00:00Z", "linux/arm64", "java25", "hotspot");

    assertThat(version.answer().headers()).containsEntry("Content-Type", "application/json");
    assertThat(version.answer().body())
        .isEqualTo(
            """
            {
              "major": "1",
              "minor": "36",
              "emulationMajor": "1",
              "emulationMinor": "36",
              "minCompatibilityMajor": "1",
              "minCompatibilityMinor": "35",
              "gitVersion": "v1.36.0+keelson-0.1.0",
              "gitCommit": "abc",
              "gitTreeState": "clean",
              "buildDate": "2026-11-21T00:00:00Z",
              "goVersion": "java25",
              "compiler": "hotspot",
              "platform": "linux/arm64"
            }""");
  }
}
