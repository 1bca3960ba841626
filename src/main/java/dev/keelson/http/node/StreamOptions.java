package dev.keelson.http.node;

import dev.keelson.http.stream.Channels;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options of exec, attach and port forward as the kubelet takes them (source: {@code
 * streamParams} of registry/core/pod).
 *
 * @param root PodExecOptions, PodAttachOptions or PodPortForwardOptions
 */
record StreamOptions(MapNode root) {

  String container() {
    return root.text("container");
  }

  boolean stdin() {
    return isSet("stdin");
  }

  boolean stdout() {
    return isSet("stdout");
  }

  boolean stderr() {
    return isSet("stderr");
  }

  boolean tty() {
    return isSet("tty");
  }

  /** The words of exec. */
  List<String> command() {
    return root.items("command").stream()
        .flatMap(each -> each instanceof Node.Text word ? Stream.of(word.value()) : Stream.of())
        .toList();
  }

  /** The streams of exec and attach. */
  Channels channels() {
    return new Channels(stdin(), stdout(), stderr(), tty());
  }

  private boolean isSet(String name) {
    return root.get(name) == Node.Bool.TRUE;
  }

  /** The kubelet's query, in alphabetical order. */
  String query() {
    QueryText query = new QueryText();
    command().forEach(word -> query.add("command", word));
    add(query, stderr(), "error");
    add(query, stdin(), "input");
    add(query, stdout(), "output");
    List<Node> ports = root.items("ports");
    if (!ports.isEmpty()) {
      query.add(
          "port",
          ports.stream()
              .map(port -> port instanceof Node.Int number ? Long.toString(number.value()) : "")
              .collect(Collectors.joining(",")));
    }
    add(query, tty(), "tty");
    return query.toString();
  }

  private static void add(QueryText query, boolean set, String name) {
    if (set) {
      query.add(name, "1");
    }
  }
}
