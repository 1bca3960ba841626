package dev.keelson.http.filter;

import dev.keelson.http.Answer;
import dev.keelson.http.ErrorAnswers;
import dev.keelson.http.Exchange;
import dev.keelson.http.Stage;

/** Turns what the stages inside throw into a Status answer. */
record ErrorFilter(ErrorAnswers errors, Stage next) implements Stage {

  @Override
  @SuppressWarnings("CatchingUnchecked")
  public Answer answer(Exchange exchange) {
    try {
      return next.answer(exchange);
    } catch (Exception e) {
      return errors.answer(exchange.request(), e);
    }
  }
}
