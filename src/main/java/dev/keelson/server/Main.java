package dev.keelson.server;

import dev.keelson.config.Flags;
import dev.keelson.config.ToolFlags;
import dev.keelson.config.component.ComponentFlags;
import dev.keelson.config.flag.CommandWish;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.option.ComponentOptions;
import dev.keelson.config.option.ComponentOptions.Component;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.config.option.ToolOptions;
import dev.keelson.http.connection.ConnectionLimits;
import dev.keelson.http.health.Version;
import dev.keelson.server.health.BuildInfo;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.server.log.Logging;
import dev.keelson.server.pki.PkiException;
import dev.keelson.server.standalone.StandaloneComponent;
import dev.keelson.server.tls.CipherSuites;
import dev.keelson.server.tool.StoreTool;
import dev.keelson.storage.StorageException;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entry point: parses the flags, opens their files and the store, then starts Quarkus. A failed
 * start prints one line that names the invalid flag. No Quarkus class is loaded before the flags
 * are parsed.
 */
@QuarkusMain
public final class Main {

  private static final String EVENT_LOOPS_PROPERTY = "quarkus.vertx.event-loops-pool-size";

  private static final int FAILED = 1;

  private Main() {}

  /** Runs the server, or the component that the first argument names, until it is terminated. */
  public static void main(String... arguments) {
    Logging.selectManager();
    boolean command = arguments.length > 0 && !arguments[0].startsWith("-");
    try {
      if (command && (componentCommand(arguments) || toolCommand(arguments))) {
        return;
      }
      switch (new Flags().read(List.of(arguments), System.getenv())) {
        case Flags.Wish.Run run -> {
          run.warnings().forEach(text -> System.err.println("Warning: " + text));
          run(run.options());
        }
        case Flags.Wish.Help help -> System.out.print(help.text());
        case Flags.Wish.Version version -> print(version.raw());
      }
    } catch (FlagException e) {
      System.err.println("Error: " + e.text() + "; see keelson --help");
      System.exit(FAILED);
    }
  }

  /** Runs a component; false if the first argument does not name one. */
  private static boolean componentCommand(String... arguments) {
    for (Component component : Component.values()) {
      if (component.command().equals(arguments[0])) {
        List<String> flags = List.of(arguments).subList(1, arguments.length);
        switch (new ComponentFlags(component).read(flags, System.getenv())) {
          case CommandWish.Run<ComponentOptions> run -> run(run.options());
          case CommandWish.Help<ComponentOptions> help -> System.out.print(help.text());
          case CommandWish.Version<ComponentOptions> version -> print(version.raw());
        }
        return true;
      }
    }
    return false;
  }

  private static void run(ComponentOptions options) {
    int code = FAILED;
    try {
      code = new StandaloneComponent(options).run();
    } catch (StartupException e) {
      System.err.println("keelson: " + e.getMessage());
    }
    System.exit(code);
  }

  /** Runs a command on a store; false if the first argument does not name one. */
  private static boolean toolCommand(String... arguments) {
    for (ToolOptions.Tool tool : ToolOptions.Tool.values()) {
      if (tool.command().equals(arguments[0])) {
        List<String> flags = List.of(arguments).subList(1, arguments.length);
        switch (new ToolFlags(tool).read(flags, System.getenv())) {
          case CommandWish.Run<ToolOptions> run -> System.exit(StoreTool.run(run.options()));
          case CommandWish.Help<ToolOptions> help -> System.out.print(help.text());
          case CommandWish.Version<ToolOptions> version -> print(version.raw());
        }
        return true;
      }
    }
    return false;
  }

  private static void print(boolean raw) {
    System.out.println(raw ? BuildInfo.version().goSyntax() : line(BuildInfo.version()));
  }

  private static void run(ServerOptions options) {
    Logging.configure(options.verbosity(), options.observation().logFormat());
    // a request to a Service names it as its host, not the address; read when the HTTP client loads
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    // Quarkus disables WebSockets unless an extension uses them; watches use them
    System.setProperty("vertx.disableWebsockets", "false");
    // RequestReader decodes as kube-apiserver does; the native executable has it from its build
    System.setProperty("vertx.disableURIValidation", "true");
    // as Go's crypto/tls; the native executable has it from its build
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    if (options.serving().plain().served()) {
      // application.properties disables it
      System.setProperty("quarkus.http.insecure-requests", "enabled");
    }
    limitEventLoops();
    ConnectionLimits.enable();
    try {
      warnOfMissingSuites(options);
      LaunchContext.begin(OpenedResources.open(options, InstantSource.system()));
    } catch (RuntimeException e) {
      end(options, FAILED, e);
      return;
    }
    Quarkus.run(KeelsonApplication.class, (code, trouble) -> end(options, code, trouble));
  }

  private static void warnOfMissingSuites(ServerOptions options) {
    List<String> missing = CipherSuites.missing(options.serving().tls().cipherSuites());
    if (!missing.isEmpty()) {
      System.err.println(
          "Warning: --tls-cipher-suites: the TLS of the JDK does not offer "
              + String.join(", ", missing));
    }
  }

  /**
   * Half as many event loops as processors, unless Quarkus' own setting says otherwise. They only
   * read and write, since requests run on virtual threads, and a loop that finds several
   * connections ready costs fewer switches of threads than several loops with one each.
   */
  private static void limitEventLoops() {
    if (System.getenv("QUARKUS_VERTX_EVENT_LOOPS_POOL_SIZE") == null) {
      int loops = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
      Object unused =
          System.getProperties().putIfAbsent(EVENT_LOOPS_PROPERTY, Integer.toString(loops));
    }
  }

  private static void end(ServerOptions options, int code, @Nullable Throwable trouble) {
    if (trouble != null) {
      String known = explanation(options, trouble);
      System.err.println("keelson: " + (known.isEmpty() ? "cannot start: " + trouble : known));
      if (known.isEmpty()) {
        // unexpected: print the stack trace
        trouble.printStackTrace();
      }
    }
    System.exit(trouble == null ? code : FAILED);
  }

  /** Returns the message for the operator; empty if the failure is unexpected. */
  private static String explanation(ServerOptions options, Throwable trouble) {
    for (Throwable t = trouble; t != null; t = t.getCause()) {
      switch (t) {
        case StartupException e -> {
          return String.valueOf(e.getMessage());
        }
        case PkiException e -> {
          return String.valueOf(e.getMessage());
        }
        case StorageException e -> {
          return "the store cannot be used: " + e.getMessage();
        }
        case SocketException e -> {
          return bindFailure(options, e);
        }
        default -> {}
      }
    }
    return "";
  }

  private static String bindFailure(ServerOptions options, SocketException e) {
    String message = String.valueOf(e.getMessage());
    String reason = message.substring(message.lastIndexOf(": ") + 1).strip();
    ServingOptions serving = options.serving();
    // the message names neither
    boolean plain = isTaken(serving.bindAddress(), serving.plain());
    String flag =
        reason.contains("assign requested address")
            ? "--bind-address"
            : plain ? "--http-port" : "--secure-port";
    return "%s: cannot listen on %s, port %d: %s"
        .formatted(
            flag,
            serving.bindAddress().getHostAddress(),
            plain ? serving.plain().port() : serving.port(),
            reason);
  }

  /** Whether the port for plain HTTP is the one that cannot be had. */
  private static boolean isTaken(InetAddress address, ServingOptions.PlainHttp plain) {
    if (!plain.served()) {
      return false;
    }
    try (ServerSocket probe = new ServerSocket(plain.port(), 1, address)) {
      return !probe.isBound();
    } catch (IOException taken) {
      return true;
    }
  }

  private static String line(Version version) {
    return "Keelson %s (Kubernetes API %s, %s)"
        .formatted(version.product(), version.gitVersion(), version.platform());
  }
}
