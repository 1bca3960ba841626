package dev.keelson.testing;

import dev.keelson.testing.ServedBy.Backend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts the servers of {@link ServedBy} for the first class that needs them, and stops them after
 * the run.
 */
final class SharedServers implements ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(SharedServers.class);

  /** A server and its store. */
  private record Running(KeelsonProcess server, Path directory, AutoCloseable store)
      implements AutoCloseable {
    @Override
    public void close() throws Exception {
      server.close();
      store.close();
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == KeelsonProcess.class;
  }

  @Override
  public KeelsonProcess resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Backend backend = context.getRequiredTestClass().getAnnotation(ServedBy.class).value();
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(backend, SharedServers::start, Running.class)
        .server();
  }

  /** It writes the status of each FlowSchema at once, which tests of writes do not expect. */
  private static final String WITHOUT_FAIRNESS = "--enable-priority-and-fairness=false";

  private static Running start(Backend backend) {
    try {
      Path directory = Files.createTempDirectory("keelson-it");
      return switch (backend) {
        case SQLITE ->
            new Running(
                KeelsonProcess.start(
                    directory, List.of(KeelsonProcess.FEW_CONTROLLERS, WITHOUT_FAIRNESS)),
                directory,
                () -> {});
        case ETCD -> {
          EtcdProcess etcd = EtcdProcess.create().start();
          List<String> flags =
              List.of(
                  "--etcd-servers",
                  etcd.endpoint().toString(),
                  KeelsonProcess.FEW_CONTROLLERS,
                  WITHOUT_FAIRNESS);
          yield new Running(KeelsonProcess.start(directory, flags), directory, etcd);
        }
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
