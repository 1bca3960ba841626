package dev.keelson.fuzz;

import dev.keelson.http.media.NegotiationInput;
import dev.keelson.schema.codec.tree.DecodeException;
import java.util.function.Consumer;

/**
 * What is given hostile bytes. A target throws if what it tries breaks a promise; that it refuses
 * an input in words is no such thing.
 */
public enum FuzzTarget {
  /** A body in JSON, read strictly and without a schema. */
  JSON(512, new DecoderInput(DecoderInput.Form.JSON)),
  /** A body in YAML. */
  YAML(384, new DecoderInput(DecoderInput.Form.YAML)),
  /** A body in Kubernetes' protobuf envelope. */
  PROTOBUF(512, new DecoderInput(DecoderInput.Form.PROTOBUF)),
  /** A value in the store, by the ways without a tree. */
  STORED(512, new StoredInput()),
  /** The headers and the query of a request, and its body as they say. */
  NEGOTIATION(512, NegotiationInput::check),
  /** A patch of each kind. */
  PATCH(384, new PatchInput()),
  /** Selectors and the small texts that have a grammar of their own. */
  TEXTS(192, new TextInput());

  /** The longest input that the fuzzer makes, in bytes. */
  private final int longest;

  /** Stateless. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final Consumer<byte[]> check;

  FuzzTarget(int longest, Consumer<byte[]> check) {
    this.longest = longest;
    this.check = check;
  }

  public int longest() {
    return longest;
  }

  /**
   * Tries one input.
   *
   * @throws RuntimeException or an error of another kind if it breaks a promise
   */
  public void check(byte[] input) {
    try {
      check.accept(input);
    } catch (DecodeException refused) {
      if (refused.text().isBlank()) {
        throw new IllegalStateException("refused without a word", refused);
      }
    }
  }
}
