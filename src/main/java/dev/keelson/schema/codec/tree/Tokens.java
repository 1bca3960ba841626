package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Decimal;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import java.util.ArrayList;
import java.util.List;

/**
 * A document as a stream of JSON tokens, whatever it is written in. Used by one thread.
 *
 * <p>Implementations bound the depth, so readers may recurse.
 */
public interface Tokens {

  /** The deepest nesting of objects and arrays that is read; real objects stay below 40. */
  int MAX_DEPTH = 512;

  /** The kinds of token. */
  enum Token {
    OBJECT_START,
    OBJECT_END,
    ARRAY_START,
    ARRAY_END,
    NAME,
    STRING,
    /** A number that is a 64-bit integer. */
    INT,
    /** Any other number. */
    DECIMAL,
    TRUE,
    FALSE,
    NULL,
    END
  }

  /**
   * Moves to the next token.
   *
   * @throws DecodeException if the document is malformed or goes beyond a bound
   */
  Token next();

  /** The token that the last {@link #next} gave. */
  Token current();

  /** The name or string, or a number as it is written. */
  String text();

  /** The value of an {@link Token#INT}. */
  long longValue();

  /** Moves over the object or array that begins here to its end; over other tokens nowhere. */
  default void skip() {
    int depth = 0;
    Token token = current();
    while (true) {
      if (token == Token.OBJECT_START || token == Token.ARRAY_START) {
        depth++;
      } else if (token == Token.OBJECT_END || token == Token.ARRAY_END) {
        depth--;
      }
      if (depth == 0) {
        return;
      }
      token = next();
    }
  }

  /**
   * Reads the one value of the whole document as {@link #free} does. Called before the first token.
   *
   * @throws DecodeException if there is no value, or anything but white space behind it
   */
  default Node document() {
    if (next() == Token.END) {
      throw new DecodeException(Fault.SYNTAX, "unexpected end of JSON input");
    }
    Node value = free();
    if (next() != Token.END) {
      throw new DecodeException(Fault.SYNTAX, "unexpected data after top-level value");
    }
    return value;
  }

  /**
   * The value that begins here, as it is: keys in their order, numbers as written. Of duplicate
   * keys the last value is kept, in the place of the first.
   */
  default Node free() {
    return switch (current()) {
      case OBJECT_START -> {
        MapNode.Builder entries = MapNode.builder(4);
        while (next() != Token.OBJECT_END) {
          String name = text();
          next();
          entries.set(name, free());
        }
        yield entries.build();
      }
      case ARRAY_START -> {
        List<Node> values = new ArrayList<>();
        while (next() != Token.ARRAY_END) {
          values.add(free());
        }
        yield values.isEmpty() ? Items.EMPTY : new Items(values);
      }
      case STRING -> new Text(text());
      case INT -> new Int(longValue());
      case DECIMAL -> new Decimal(text());
      case TRUE -> Bool.TRUE;
      case FALSE -> Bool.FALSE;
      case NULL -> Null.NULL;
      case OBJECT_END, ARRAY_END, NAME, END ->
          throw new IllegalStateException("no value begins at " + current());
    };
  }
}
