package dev.keelson.http.simulated;

import dev.keelson.object.Node.MapNode;

/** What containers of simulated nodes print. Safe for use by several threads. */
@FunctionalInterface
public interface PrintedText {

  /** Nothing is configured: containers say that they are simulated. */
  PrintedText DEFAULT = pod -> Text.DEFAULT;

  /**
   * The texts of the containers of a pod.
   *
   * @param pod its newest state
   */
  Text of(MapNode pod);

  /**
   * The texts of a pod's containers.
   *
   * @param log what a container prints when it starts; empty for a line that says that it is
   *     simulated
   * @param exec the output of every command; empty for a line that says that it did not run
   * @param exitCode the exit code of every command, from 0 to 255
   */
  record Text(String log, String exec, int exitCode) {

    /** Containers say that they are simulated; commands succeed. */
    public static final Text DEFAULT = new Text("", "", 0);
  }
}
