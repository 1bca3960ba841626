package dev.keelson.schema.codec.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.Tokens;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.tree.Utf8;
import dev.keelson.value.JsonSyntax;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The tokens of a JSON document in UTF-8, read by Jackson's streaming parser. */
public final class JsonTokens implements Tokens {

  /**
   * Callers limit the body, so strings and names need no limit; numbers do, since converting their
   * digits to binary is expensive.
   */
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          // names are untrusted: do not intern them in the JVM's string table
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(1 << 20)
                  .maxNumberLength(1000)
                  .build())
          .build();

  private final byte[] json;
  private final JsonParser parser;
  private final TreeBudget budget;
  private Token current = Token.END;

  private JsonTokens(byte[] json, JsonParser parser, TreeBudget budget) {
    this.json = json;
    this.parser = parser;
    this.budget = budget;
  }

  /** The tokens of {@code json}; bytes that are no UTF-8 read as U+FFFD, as Go has it. */
  public static JsonTokens of(byte[] json) {
    return of(json, TreeBudget.unbounded());
  }

  /** The tokens of {@code json} as {@link #of(byte[])} has them, within a budget. */
  public static JsonTokens of(byte[] json, TreeBudget budget) {
    // Jackson would take other encodings by their first bytes; JSON here is UTF-8 without a mark
    if (startsOtherwise(json)) {
      throw new DecodeException(Fault.SYNTAX, JsonSyntax.problem(json));
    }
    try {
      return new JsonTokens(json, FACTORY.createParser(Utf8.valid(json)), budget);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the first bytes are those of another encoding, or of a byte order mark. */
  private static boolean startsOtherwise(byte[] json) {
    for (int i = 0; i < Math.min(4, json.length); i++) {
      if (json[i] == 0) {
        return true;
      }
    }
    return json.length > 0 && (json[0] & 0xFF) >= 0xEF;
  }

  @Override
  public Token next() {
    try {
      JsonToken token = parser.nextToken();
      current = token == null ? Token.END : translate(token);
      count(current);
      return current;
    } catch (JsonProcessingException e) {
      throw fault(e);
    } catch (IOException e) {
      throw new UncheckedIOException("reading memory failed", e);
    }
  }

  private void count(Token token) {
    switch (token) {
      case OBJECT_START, ARRAY_START -> budget.container();
      case STRING, INT, DECIMAL, TRUE, FALSE, NULL -> budget.scalar();
      case OBJECT_END, ARRAY_END, NAME, END -> {}
    }
  }

  private Token translate(JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> Token.OBJECT_START;
      case END_OBJECT -> Token.OBJECT_END;
      case START_ARRAY -> Token.ARRAY_START;
      case END_ARRAY -> Token.ARRAY_END;
      case FIELD_NAME -> Token.NAME;
      case VALUE_STRING -> Token.STRING;
      case VALUE_NUMBER_INT -> integer() ? Token.INT : Token.DECIMAL;
      case VALUE_NUMBER_FLOAT -> Token.DECIMAL;
      case VALUE_TRUE -> Token.TRUE;
      case VALUE_FALSE -> Token.FALSE;
      case VALUE_NULL -> Token.NULL;
      case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
          throw new IllegalStateException("not a token of JSON text: " + token);
    };
  }

  private boolean integer() throws IOException {
    NumberType type = parser.getNumberType();
    // minus zero is a number of its own when it is kept as written
    return type == NumberType.INT
        ? parser.getIntValue() != 0 || parser.getTextLength() == 1
        : type == NumberType.LONG;
  }

  @Override
  public Token current() {
    return current;
  }

  @Override
  public String text() {
    try {
      return parser.getText();
    } catch (JsonProcessingException e) {
      throw fault(e);
    } catch (IOException e) {
      throw new UncheckedIOException("reading memory failed", e);
    }
  }

  @Override
  public long longValue() {
    try {
      return parser.getLongValue();
    } catch (IOException e) {
      throw new UncheckedIOException("reading memory failed", e);
    }
  }

  private DecodeException fault(JsonProcessingException e) {
    if (e instanceof StreamConstraintsException) {
      return new DecodeException(Fault.LIMIT, located("JSON beyond a bound", e));
    }
    // clients know the words of Go
    String problem = JsonSyntax.problem(json);
    return new DecodeException(
        Fault.SYNTAX, problem.isEmpty() ? located("invalid JSON", e) : problem);
  }

  private static String located(String what, JsonProcessingException e) {
    JsonLocation location = e.getLocation();
    return what
        + (location == null
            ? ""
            : " at line " + location.getLineNr() + ", column " + location.getColumnNr())
        + ": "
        + e.getOriginalMessage();
  }
}
