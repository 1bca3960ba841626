package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the walk-throughs of docs/admission.md and docs/admission-policies.md. */
class DocumentedAdmissionTest extends PoliciesContract {

  private static final Pattern BLOCK =
      Pattern.compile("^( *)```(\\w*)\n(.*?)\n\\1```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern HERE = Pattern.compile("<<EOF\n(.*)\nEOF", Pattern.DOTALL);
  private static final UserInfo USER =
      new UserInfo("team:jane", "", List.of("system:masters"), Map.of());

  /** The blocks of a language in a section of a document, without their indentation. */
  private static List<String> blocks(String document, String section, String language)
      throws IOException {
    String text = Files.readString(Path.of("docs", document));
    int from = text.indexOf("\n## " + section);
    assertThat(from).isPositive();
    int to = text.indexOf("\n## ", from + 1);
    List<String> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(text.substring(from, to < 0 ? text.length() : to));
    while (matcher.find()) {
      if (matcher.group(2).equals(language)) {
        blocks.add(matcher.group(3).replace("\n" + matcher.group(1), "\n").strip());
      }
    }
    return blocks;
  }

  private ApiObject apply(String yaml) {
    ApiObject object = object(yaml);
    int slash = object.apiVersion().indexOf('/');
    GroupVersion version =
        new GroupVersion(
            slash < 0 ? "" : object.apiVersion().substring(0, slash),
            object.apiVersion().substring(slash + 1));
    GroupVersionResource resource =
        server.catalog().snapshot().resources(version).stream()
            .filter(each -> each.kind().equals(object.kind()))
            .findFirst()
            .orElseThrow()
            .gvr();
    return create(resource, object.meta().namespace(), object, USER);
  }

  private ApiObject deployment(String name, int replicas) {
    return create(
        DEPLOYMENTS,
        "default",
        object(
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: %s, labels: {app: w}}, spec: {replicas: %d, selector: {matchLabels: {app: w}}, template: {metadata: {labels: {app: w}}, spec: {containers: [{name: w, image: w}]}}}}"
                .formatted(name, replicas)),
        USER);
  }

  @Test
  void policies_workAsDescribed() throws Exception {
    String section = "A policy step by step";
    List<String> objects = blocks("admission-policies.md", section, "yaml");
    assertThat(objects).hasSize(5);
    assertThat(objects.subList(0, 3)).allSatisfy(each -> assertThat(apply(each)).isNotNull());

    ApiException refused = catchThrowableOfType(ApiException.class, () -> deployment("web", 5));
    assertThat(refused.text()).isEqualTo(blocks("admission-policies.md", section, "").getFirst());
    assertThat(refused.reason()).isEqualTo(Reason.INVALID);
    assertThat(deployment("three", 3).meta().labels()).containsOnlyKeys("app");

    assertThat(objects.subList(3, 5)).allSatisfy(each -> assertThat(apply(each)).isNotNull());
    ApiObject small = deployment("small", 1);
    assertThat(small.root().map("spec").get("replicas")).isEqualTo(new Node.Int(2));
    assertThat(small.meta().labels()).containsEntry("owner", "team_jane").containsKey("app");
  }

  @Test
  void webhook_worksAsDescribed(@TempDir Path directory) throws Exception {
    String section = "A webhook, step by step";
    List<String> commands = blocks("admission.md", section, "bash");
    assertThat(commands).hasSize(3);
    String port = Integer.toString(FreePort.find());
    assertThat(start(directory, "bash", "-ec", commands.getFirst()).waitFor()).isZero();
    Files.writeString(
        directory.resolve("Hook.java"),
        blocks("admission.md", section, "java").getFirst().replace("8443", port));
    Process hook = start(directory, "java", "Hook.java");
    try {
      awaitOpen(Integer.parseInt(port));
      Matcher configuration = HERE.matcher(commands.get(1));
      assertThat(configuration.find()).isTrue();
      String bundle =
          Base64.getEncoder().encodeToString(Files.readAllBytes(directory.resolve("hook.crt")));
      ApiObject applied =
          apply(
              configuration
                  .group(1)
                  .replace("8443", port)
                  .replace("$(base64 -w0 hook.crt)", bundle));
      assertThat(applied.meta().name()).isEqualTo("labels");

      ApiObject made =
          create(
              MAPS,
              "default",
              object("{apiVersion: v1, kind: ConfigMap, metadata: {name: one}}"),
              USER);

      assertThat(made.meta().labels()).containsEntry("team", "blue");
      assertThat(warnings).containsExactly("labelled");
    } finally {
      assertThat(hook.destroyForcibly().waitFor()).isNotZero();
    }
  }

  /** Starts a command with the JDK of this process before all others. */
  private static Process start(Path directory, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    Path tools = Path.of(System.getProperty("java.home"), "bin");
    if (command[0].equals("java")) {
      command[0] = tools.resolve("java").toString();
      builder.command(command);
    }
    builder.environment().merge("PATH", tools.toString(), (old, first) -> first + ":" + old);
    return builder
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("output.txt").toFile())
        .start();
  }

  private static void awaitOpen(int port) {
    Eventually.assertEventually(
        () -> {
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(socket.isConnected()).isTrue();
          } catch (IOException e) {
            throw new AssertionError("nothing listens on port " + port, e);
          }
        });
  }
}
