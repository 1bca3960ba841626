package dev.keelson.http.simulated;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import dev.keelson.http.stream.AnsweredCommand;
import dev.keelson.http.stream.Channels;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/**
 * Answers in the place of the kubelets of simulated nodes. Safe for use by several threads.
 *
 * @param printed what containers print
 */
public record SimulatedPods(PrintedText printed) {

  /** The label of nodes on which no container runs. */
  private static final String LABEL = "keelson.dev/simulated";

  private static final List<Header> TEXT = List.of(new Header("Content-Type", "text/plain"));

  /** Whether a node has no kubelet. */
  public static boolean isSimulated(MapNode node) {
    return node.map("metadata").map("labels").text(LABEL).equals("true");
  }

  /**
   * The log of a container.
   *
   * @param pod reads its newest state; throws an {@link ApiException} once there is none
   * @throws ApiException BadRequest if the container has not run
   */
  public ApiResponse log(Supplier<MapNode> pod, String container, LogWindow window) {
    Supplier<ContainerLog> newest =
        () -> {
          MapNode state = pod.get();
          return ContainerLog.of(state, container, window.previous(), printed.of(state).log());
        };
    ContainerLog log = newest.get();
    return new ApiResponse(
        200,
        TEXT,
        window.follow() && !log.over()
            ? new FollowedLog(log, newest, window)
            : Body.Payload.of(log.bytes(window, 0, 0)));
  }

  /**
   * A command in a container, or with {@code attach} the container's own output.
   *
   * @param command its words; empty for {@code attach}
   * @throws ApiException NotFound if the container does not run, BadRequest if the protocol is
   *     unknown
   */
  public ApiResponse run(
      ApiRequest request,
      MapNode pod,
      String container,
      boolean attach,
      List<String> command,
      Channels channels) {
    if (ContainerLog.status(pod, container)
        .filter(status -> status.map("state").has("running"))
        .isEmpty()) {
      throw new ApiException(
          Reason.NOT_FOUND, "container not found (" + GoQuote.quote(container) + ")");
    }
    PrintedText.Text text = printed.of(pod);
    if (attach) {
      LogWindow all = new LogWindow(false, false, null, false, null, null);
      byte[] lines = ContainerLog.of(pod, container, false, text.log()).bytes(all, 0, 0);
      return AnsweredCommand.answer(request, channels, lines, success());
    }
    String output =
        text.exec().isEmpty()
            ? "Simulated container "
                + container
                + " runs no process; the command was: "
                + String.join(" ", command)
                + "\n"
            : text.exec();
    return AnsweredCommand.answer(
        request,
        channels,
        output.getBytes(StandardCharsets.UTF_8),
        text.exitCode() == 0 ? success() : failure(text.exitCode()));
  }

  /**
   * Nothing listens on the ports of a simulated pod.
   *
   * @param pod its name
   */
  public static ApiException noPorts(String pod) {
    return ApiException.badRequest(
        "pod " + pod + " is on a simulated node: nothing listens on its ports");
  }

  private static byte[] success() {
    return ObjectWriter.json(
        MapNode.of("metadata", MapNode.EMPTY).with("status", Node.text("Success")));
  }

  /** The Status of a command's exit code (source: the kubelet's {@code remotecommand}). */
  private static byte[] failure(int exitCode) {
    MapNode cause =
        MapNode.of("reason", Node.text("ExitCode"))
            .with("message", Node.text(Integer.toString(exitCode)));
    return ObjectWriter.json(
        MapNode.builder(5)
            .put("metadata", MapNode.EMPTY)
            .put("status", Node.text("Failure"))
            .put(
                "message",
                Node.text(
                    "command terminated with non-zero exit code: the command of a simulated"
                        + " container ended with "
                        + exitCode))
            .put("reason", Node.text("NonZeroExitCode"))
            .put("details", MapNode.of("causes", new Items(List.of(cause))))
            .build());
  }
}
