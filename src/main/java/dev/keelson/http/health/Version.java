package dev.keelson.http.health;

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
            .formatted(commit, commit.isEmpty() ? "" : "clean", date, runtime)
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
            commit.isEmpty() ? "" : "clean",
            date,
            runtime,
            compiler,
            platform);
  }
}
