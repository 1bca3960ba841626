package dev.keelson.http.health;

import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/**
 * The response of {@code /version}, in the format of Kubernetes' {@code version.Info}.
 *
 * @param product the version of this software, for example 0.1.0
 * @param commit the commit it was built from, or empty
 * @param date when it was built, RFC 3339
 * @param platform operating system and processor, for example linux/amd64
 * @param runtime the Java version, in place of Go's
 * @param compiler the compiler: native-image or hotspot
 */
public record Version(
    String product, String commit, String date, String platform, String runtime, String compiler) {

  private static final int MINOR = 36;

  /** The gitVersion: the served Kubernetes version, then Keelson's. */
  public String gitVersion() {
    return "v1." + MINOR + ".0+keelson-" + product;
  }

  private String treeState() {
    return commit.isEmpty() ? "" : "clean";
  }

  /** Registers the metric {@code kubernetes_build_info}, which has the version in its labels. */
  public void register(PrometheusRegistry registry) {
    // Micrometer has no metrics of this type, and takes _info off the names of others
    Info.builder()
        .name("kubernetes_build_info")
        .help("The version, as labels.")
        .labelNames(
            "build_date",
            "compiler",
            "git_commit",
            "git_tree_state",
            "git_version",
            "go_version",
            "major",
            "minor",
            "platform")
        .register(registry)
        .addLabelValues(
            date,
            compiler,
            commit,
            treeState(),
            gitVersion(),
            runtime,
            "1",
            Integer.toString(MINOR),
            platform);
  }

  /** The response of {@code /version}. */
  public TextResponse answer() {
    return TextResponse.of("application/json", json());
  }

  /** All fields, as Go prints {@code version.Info}. */
  public String goSyntax() {
    return "version.Info{"
        + "Major:\"1\", Minor:\"%d\", EmulationMajor:\"1\", EmulationMinor:\"%d\", "
            .formatted(MINOR, MINOR)
        + "MinCompatibilityMajor:\"1\", MinCompatibilityMinor:\"%d\", GitVersion:\"%s\", "
            .formatted(MINOR - 1, gitVersion())
        + "GitCommit:\"%s\", GitTreeState:\"%s\", BuildDate:\"%s\", GoVersion:\"%s\", "
            .formatted(commit, treeState(), date, runtime)
        + "Compiler:\"%s\", Platform:\"%s\"}".formatted(compiler, platform);
  }

  private String json() {
    return """
    {
      "major": "1",
      "minor": "%d",
      "emulationMajor": "1",
      "emulationMinor": "%d",
      "minCompatibilityMajor": "1",
      "minCompatibilityMinor": "%d",
      "gitVersion": "%s",
      "gitCommit": "%s",
      "gitTreeState": "%s",
      "buildDate": "%s",
      "goVersion": "%s",
      "compiler": "%s",
      "platform": "%s"
    }\
    """
        .formatted(
            MINOR,
            MINOR,
            MINOR - 1,
            gitVersion(),
            commit,
            treeState(),
            date,
            runtime,
            compiler,
            platform);
  }
}
