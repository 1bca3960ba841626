package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The registry of all built-in resources on a store in a folder of its own. */
@Timeout(120)
public abstract class RegistryTest {

  protected final LocalApi api;

  protected RegistryTest(@TempDir Path directory) {
    this(LocalApi.open(directory));
  }

  protected RegistryTest(LocalApi api) {
    this.api = api;
  }

  @AfterEach
  void close() {
    api.close();
  }

  /** Runs what is to be refused, and returns the refusal. */
  protected static ApiException refusal(Reason reason, ThrowingCallable call) {
    ApiException[] refusal = new ApiException[1];
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.reason()).as(e.text()).isEqualTo(reason))
        .satisfies(e -> refusal[0] = e);
    return refusal[0];
  }

  /** The causes of an Invalid refusal as {@code field: message}. */
  protected static List<String> causes(ThrowingCallable call) {
    return refusal(Reason.INVALID, call).details().causes().stream()
        .map(FieldCause::summary)
        .toList();
  }
}
