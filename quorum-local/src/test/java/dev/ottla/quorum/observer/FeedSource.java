package dev.ottla.quorum.observer;

import dev.ottla.quorum.feed.BatchAnswer;
import dev.ottla.quorum.feed.BatchQuestion;
import dev.ottla.quorum.feed.MetadataFeed;
import dev.ottla.quorum.feed.MetadataSource;
import dev.ottla.quorum.feed.SnapshotAnswer;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Brings questions to a feed and answers back, each as a task of its side. Without a feed nobody
/// answers.
final class FeedSource implements MetadataSource {
    private final Supplier<Optional<MetadataFeed>> feed;
    private final Supplier<Deque<Runnable>> feedTasks;

    /// Where answers go; set when the observer has been made.
    Supplier<Deque<Runnable>> answerTasks =
            () -> {
                throw new IllegalStateException("no observer");
            };

    FeedSource(Supplier<Optional<MetadataFeed>> feed, Supplier<Deque<Runnable>> feedTasks) {
        this.feed = feed;
        this.feedTasks = feedTasks;
    }

    @Override
    public void fetch(BatchQuestion question, Consumer<BatchAnswer> answer) {
        Deque<Runnable> back = answerTasks.get();
        Optional<MetadataFeed> asked = feed.get();
        if (asked.isEmpty()) {
            back.add(() -> answer.accept(new BatchAnswer.Failed("nobody is there")));
            return;
        }
        feedTasks
                .get()
                .add(() ->
                        asked.get().fetch(question, found -> back.add(() -> answer.accept(found))));
    }

    @Override
    public void fetchSnapshot(SnapshotQuestion question, Consumer<SnapshotAnswer> answer) {
        Deque<Runnable> back = answerTasks.get();
        Optional<MetadataFeed> asked = feed.get();
        if (asked.isEmpty()) {
            back.add(() -> answer.accept(new SnapshotAnswer.Failed("nobody is there")));
            return;
        }
        feedTasks
                .get()
                .add(() ->
                        asked.get()
                                .fetchSnapshot(
                                        question, found -> back.add(() -> answer.accept(found))));
    }
}
